# At delivery, before all other scripts: Tamis judges the message for the user of the mailbox, whatever
# address it was sent to. Its fields replace those that the milter wrote for all recipients. Without
# an answer the fields stay as they are.
require ["editheader", "variables", "vnd.dovecot.execute"];

if execute :pipe :output "found" "tamis-dovecot" "judge" {
  if string :matches "${found}" "*|*|*" {
    set "verdict" "${1}";
    set "class" "${2}";
    set "reasons" "${3}";
    deleteheader "X-Tamis-Verdict";
    deleteheader "X-Tamis-Class";
    deleteheader "X-Tamis-Reasons";
    if not string :is "${reasons}" "" {
      addheader "X-Tamis-Reasons" "${reasons}";
    }
    addheader "X-Tamis-Class" "${class}";
    addheader "X-Tamis-Verdict" "${verdict}";
  }
}
