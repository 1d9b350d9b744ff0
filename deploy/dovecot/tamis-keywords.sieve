# At delivery, instead of tamis-class.sieve: sets the class as a keyword, for clients that show views
# instead of folders.
require ["imap4flags"];

if header :is "X-Tamis-Class" "primary" {
  addflag "$Primary";
} elsif header :is "X-Tamis-Class" "promotions" {
  addflag "$Promotions";
} elsif header :is "X-Tamis-Class" "updates" {
  addflag "$Updates";
} elsif header :is "X-Tamis-Class" "transactions" {
  addflag "$Transactions";
}
