# At delivery: mail that no script of the user has filed goes to the folder of its class. Primary
# mail, and mail that was not judged, stays in the inbox.
require ["fileinto", "mailbox"];

if header :is "X-Tamis-Class" "promotions" {
  fileinto :create "Promotions";
} elsif header :is "X-Tamis-Class" "updates" {
  fileinto :create "Updates";
} elsif header :is "X-Tamis-Class" "transactions" {
  fileinto :create "Transactions";
}
