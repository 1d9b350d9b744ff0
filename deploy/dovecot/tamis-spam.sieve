# At delivery: spam goes to Junk, before any script of the user's. 'mixed' (spam for one recipient
# and not for another) and 'unscanned' do not.
require ["fileinto", "mailbox"];

if header :matches "X-Tamis-Verdict" ["spam", "spam;*"] {
  fileinto :create "Junk";
  stop;
}
