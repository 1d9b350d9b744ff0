-- An MTA that speaks version 2 and waits for a reply to every step.
-- Run by miltertest with -D port=PORT.

local function check(ok, what)
  if ok then return end
  mt.echo(what)
  error(what)
end

local function continues(result, what)
  check(result == nil, what .. ": " .. tostring(result))
  check(mt.getreply(conn) == SMFIR_CONTINUE, what .. " is not let on")
end

conn = mt.connect("inet:" .. port .. "@127.0.0.1", 20, 0.1)
check(conn ~= nil, "it does not listen")
-- Steps before actions: miltertest 1.5 takes them in this order, whatever its manual says.
check(mt.negotiate(conn, 2, 0, SMFIF_ADDHDRS + SMFIF_CHGHDRS) == nil, "negotiate")
check(not mt.test_option(conn, SMFIP_NR_HDR), "it asks for what was not offered")

continues(mt.conninfo(conn, "client.example.net", "192.0.2.25"), "conninfo")
continues(mt.helo(conn, "client.example.net"), "helo")
continues(mt.mailfrom(conn, "<bob@example.net>"), "mailfrom")
continues(mt.rcptto(conn, "<ann@example.com>"), "rcptto")
continues(mt.header(conn, "Subject", "Saturday at the lake"), "header")
continues(mt.eoh(conn), "eoh")
continues(mt.bodyrandom(conn, 100000), "body")
check(mt.eom(conn) == nil, "eom")
check(mt.getreply(conn) == SMFIR_CONTINUE, "the message is not let on")
check(mt.eom_check(conn, MT_HDRINSERT, "X-Tamis-Verdict"), "there is no verdict")
check(mt.eom_check(conn, MT_HDRINSERT, "X-Tamis-Class"), "there is no class")

mt.disconnect(conn)
