# At delivery, before users' own scripts: spam goes to Junk. Mail that is 'mixed' (spam for some of its
# recipients) or 'unscanned' does not. Lines that begin with #quarantine are optional: with them, what is surely spam
# goes to Quarantine (docs/integrations/dovecot.md).
require ["fileinto", "mailbox"];
#quarantine require ["comparator-i;ascii-numeric", "relational", "variables"];

#quarantine # From a probability of 0.98 on, by its four digits after the point.
#quarantine if header :matches "X-Tamis-Verdict" "spam; probability=1.*" {
#quarantine   fileinto :create "Quarantine";
#quarantine   stop;
#quarantine } elsif header :matches "X-Tamis-Verdict" "spam; probability=0.*" {
#quarantine   if string :value "ge" :comparator "i;ascii-numeric" "${1}" "9800" {
#quarantine     fileinto :create "Quarantine";
#quarantine     stop;
#quarantine   }
#quarantine }

if header :matches "X-Tamis-Verdict" ["spam", "spam;*"] {
  fileinto :create "Junk";
  stop;
}
