# Turns what users do with a message over IMAP into corrections. docs/integrations/dovecot.md has the
# table.
require [
  "copy", "environment", "imap4flags", "imapsieve", "variables", "vnd.dovecot.imapsieve",
  "vnd.dovecot.pipe"
];

# Your folders, as a client shows them; with a prefix 'INBOX.Junk'.
set "junk" "Junk";
set "quarantine" "Quarantine";
set "trash" "Trash";
set "sent" "Sent";
set "drafts" "Drafts";
set "promotions" "Promotions";
set "updates" "Updates";
set "transactions" "Transactions";

# The labels of the correction, as words for tamis-dovecot, separated by spaces.
set "labels" "";

# Moved or copied. Clients that cannot move a message copy and delete it.
if environment :is "imap.cause" "COPY" {
  if environment :matches "vnd.dovecot.mailbox-from" "*" { set "from" "${1}"; }
  if environment :matches "vnd.dovecot.mailbox-to" "*" { set "to" "${1}"; }

  # Throwing a message away is no correction, whatever folder it was in.
  if string :is "${to}" ["${trash}", "${from}"] {
    stop;
  }

  if string :is "${to}" ["${junk}", "${quarantine}"] {
    # The user's own mail is not incoming spam.
    if not string :is "${from}" ["${sent}", "${drafts}"] { set "labels" "spam"; }
  } else {
    if string :is "${from}" ["${junk}", "${quarantine}"] { set "labels" "ham"; }
    if string :is "${to}" "${promotions}" {
      set "labels" "${labels} promotions";
    } elsif string :is "${to}" "${updates}" {
      set "labels" "${labels} updates";
    } elsif string :is "${to}" "${transactions}" {
      set "labels" "${labels} transactions";
    } elsif allof (
      string :is "${to}" "INBOX",
      string :is "${from}" ["${promotions}", "${updates}", "${transactions}"]
    ) {
      # Only from the folder of a class, because mail is moved to the inbox for many reasons.
      set "labels" "primary";
    }
  }
}

# Marked by a keyword. The one that was set last counts; removing one is no correction. $Junk and
# $NotJunk are registered with IANA. Junk and NonJunk are ignored, because Thunderbird's own filter
# sets them by itself.
elsif environment :is "imap.cause" "FLAG" {
  # Names of the keywords that were set or removed, with a space around each.
  if environment :matches "imap.changedflags" "*" { set "changed" " ${1} "; }

  if allof (string :contains "${changed}" " $Junk ", hasflag "$Junk") {
    set "labels" "spam";
  } elsif allof (string :contains "${changed}" " $NotJunk ", hasflag "$NotJunk") {
    set "labels" "ham";
  }

  if allof (string :contains "${changed}" " $Primary ", hasflag "$Primary") {
    set "labels" "${labels} primary";
  } elsif allof (string :contains "${changed}" " $Promotions ", hasflag "$Promotions") {
    set "labels" "${labels} promotions";
  } elsif allof (string :contains "${changed}" " $Updates ", hasflag "$Updates") {
    set "labels" "${labels} updates";
  } elsif allof (string :contains "${changed}" " $Transactions ", hasflag "$Transactions") {
    set "labels" "${labels} transactions";
  }
}

# Uploaded. mbsync and OfflineIMAP upload a message that was moved offline, imapsync whole folders. This
# is off unless you add APPEND in 90-tamis.conf.
elsif allof (environment :is "imap.cause" "APPEND", environment :is "imap.mailbox" "${junk}") {
  set "labels" "spam";
}

# Use pipe only once: a second one is an error at run time, which ends the connection (Dovecot 2.3.19).
if not string :is "${labels}" "" {
  if environment :matches "imap.user" "*" {
    pipe :copy :try "tamis-dovecot" ["correct", "${labels}", "${1}"];
  }
}
