-- A session as Sendmail and Postfix lead it: three messages, one of them broken off.
-- Run by miltertest with -D port=PORT; a wrong answer ends it with an error.

local function check(ok, what)
  if ok then return end
  mt.echo(what)
  error(what)
end

local function done(result, what)
  check(result == nil, what .. ": " .. tostring(result))
end

local conn = mt.connect("inet:" .. port .. "@127.0.0.1", 20, 0.1)
check(conn ~= nil, "it does not listen")

done(mt.negotiate(conn, nil, nil, nil), "negotiate")
check(mt.test_action(conn, SMFIF_ADDHDRS), "it does not ask to add fields")
check(mt.test_action(conn, SMFIF_CHGHDRS), "it does not ask to remove fields")
check(not mt.test_action(conn, SMFIF_CHGBODY), "it asks to change bodies")
check(not mt.test_action(conn, SMFIF_ADDRCPT), "it asks to add recipients")
check(mt.test_action(conn, SMFIF_QUARANTINE), "it does not ask to hold messages, as a domain may want")
check(mt.test_option(conn, SMFIP_NR_HDR), "it wants to reply to each field")
check(mt.test_option(conn, SMFIP_HDR_LEADSPC), "it does not take fields as they came")

done(mt.conninfo(conn, "client.example.net", "192.0.2.25"), "conninfo")
done(mt.helo(conn, "client.example.net"), "helo")

local function message(subject, forged)
  mt.macro(conn, SMFIC_MAIL, "i", "4F00")
  done(mt.mailfrom(conn, "<bob@example.net>"), "mailfrom")
  done(mt.rcptto(conn, "<ann@example.com>"), "rcptto")
  done(mt.rcptto(conn, "<cy@example.com>"), "rcptto")
  for _, field in ipairs(forged) do
    done(mt.header(conn, field[1], field[2]), "header")
  end
  done(mt.header(conn, "From", " Bob <bob@example.net>"), "header")
  done(mt.header(conn, "Subject", " " .. subject), "header")
  done(mt.eoh(conn), "eoh")
  done(mt.bodystring(conn, "Shall we meet at the boat house at ten?\r\n"), "body")
end

-- One with forged fields.
message("Saturday at the lake", {
  { "X-Tamis-Verdict", " ham" }, { "X-Tamis-Reasons", " -9.9 GOOD (good)" }, { "X-Spam-Flag", " NO" },
})
done(mt.eom(conn), "eom")
check(mt.getreply(conn) == SMFIR_CONTINUE, "it does not let the message go on")
check(mt.eom_check(conn, MT_HDRDELETE, "x-tamis-verdict"), "a forged verdict stays")
check(mt.eom_check(conn, MT_HDRDELETE, "x-spam-flag"), "a forged flag stays")
check(mt.eom_check(conn, MT_HDRINSERT, "X-Tamis-Verdict"), "there is no verdict")
check(mt.eom_check(conn, MT_HDRINSERT, "X-Tamis-Class", " primary"), "there is no class")
check(mt.eom_check(conn, MT_HDRINSERT, "X-Tamis-Reasons"), "there are no reasons")
check(mt.eom_check(conn, MT_HDRDELETE, "x-tamis-reasons"), "forged reasons stay")
check(mt.eom_check(conn, MT_HDRINSERT, "X-Spam-Flag", " NO"), "there is no flag")
check(not mt.eom_check(conn, MT_QUARANTINE), "it is held")
check(not mt.eom_check(conn, MT_BODYCHANGE), "its body is changed")
check(not mt.eom_check(conn, MT_RCPTDELETE, "<ann@example.com>"), "a recipient is removed")

-- One that the client breaks off, and another without anything forged.
message("Never sent", { { "X-Tamis-Verdict", " ham" } })
done(mt.abort(conn), "abort")
message("Sunday at the lake", {})
done(mt.eom(conn), "eom")
check(mt.eom_check(conn, MT_HDRINSERT, "X-Tamis-Verdict"), "the third has no verdict")
check(not mt.eom_check(conn, MT_HDRDELETE), "what was forged in the second is looked for in the third")

mt.disconnect(conn)
