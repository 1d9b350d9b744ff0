# What users say about a message by what they do with it over IMAP. docs/integrations/dovecot.md has
# the table.
require [
  "copy", "environment", "imap4flags", "imapsieve", "variables", "vnd.dovecot.imapsieve",
  "vnd.dovecot.pipe"
];

# Your folders, as a client shows them: 'INBOX.Junk' where there is a prefix.
set "junk" "Junk";
set "trash" "Trash";
set "sent" "Sent";
set "drafts" "Drafts";
set "promotions" "Promotions";
set "updates" "Updates";
set "transactions" "Transactions";

# What is said: words for tamis-dovecot, with a space between two.
set "labels" "";

# Moved or copied: clients that cannot move copy and delete.
if environment :is "imap.cause" "COPY" {
  if environment :matches "vnd.dovecot.mailbox-from" "*" { set "from" "${1}"; }
  if environment :matches "vnd.dovecot.mailbox-to" "*" { set "to" "${1}"; }

  # Who throws a message away says nothing about it, wherever it was.
  if string :is "${to}" ["${trash}", "${from}"] {
    stop;
  }

  if string :is "${to}" "${junk}" {
    # Mail of one's own is no spam that came in.
    if not string :is "${from}" ["${sent}", "${drafts}"] { set "labels" "spam"; }
  } else {
    if string :is "${from}" "${junk}" { set "labels" "ham"; }
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
      # Only from the folder of a class: to the inbox things go for many reasons.
      set "labels" "primary";
    }
  }
}

# Marked by a keyword. The one that was set last counts; one that is taken away says nothing. $Junk
# and $NotJunk are IANA's. Junk and NonJunk, which Thunderbird's own filter sets without being
# asked, are not looked at.
elsif environment :is "imap.cause" "FLAG" {
  # Names of the keywords that were set or taken away, with a space around each.
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

# Uploaded: mbsync and OfflineIMAP do so for a move that was made offline, imapsync for whole
# folders. Not asked for in 90-tamis.conf, where you can.
elsif allof (environment :is "imap.cause" "APPEND", environment :is "imap.mailbox" "${junk}") {
  set "labels" "spam";
}

# Once at most: a second pipe is an error at run time, which ends the connection (Dovecot 2.3.19).
if not string :is "${labels}" "" {
  if environment :matches "imap.user" "*" {
    pipe :copy :try "tamis-dovecot" ["correct", "${labels}", "${1}"];
  }
}
