# At delivery, before users' own scripts: spam goes to Junk. Mail that is 'mixed' (spam for some of its
# recipients) or 'unscanned' does not.
require ["fileinto", "mailbox"];

if header :matches "X-Tamis-Verdict" ["spam", "spam;*"] {
  fileinto :create "Junk";
  stop;
}
