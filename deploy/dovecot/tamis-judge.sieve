# At delivery, before all other scripts: Tamis judges the message for the user whose mailbox it is, by
# whatever address it came, and its fields take the place of those that the milter wrote for all
# recipients. Where there is no answer the fields stay as they are.
require ["editheader", "variables", "vnd.dovecot.execute"];

if execute :pipe :output "found" "tamis-dovecot" "judge" {
  if string :matches "${found}" "*|*" {
    set "verdict" "${1}";
    set "class" "${2}";
    deleteheader "X-Tamis-Verdict";
    deleteheader "X-Tamis-Class";
    addheader "X-Tamis-Class" "${class}";
    addheader "X-Tamis-Verdict" "${verdict}";
  }
}
