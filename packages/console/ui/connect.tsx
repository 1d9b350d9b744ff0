/** How mail comes to the service: for who has just installed it. */

/** Where the milter listens, as the documents start it. */
const MILTER = 'inet:127.0.0.1:8026'

export function Connect() {
  return (
    <section class="stack" aria-labelledby="connect-title">
      <h3 id="connect-title">Connect a mail server</h3>
      <p>Postfix or Sendmail: start the milter, and have the server ask it.</p>
      <pre>
        <code>
          {`systemctl enable --now tamis-milter
postconf -e 'smtpd_milters = ${MILTER}' 'milter_default_action = accept'
postfix reload`}
        </code>
      </pre>
      <p>A single message, by the API:</p>
      <pre>
        <code>
          {`curl -H 'Content-Type: message/rfc822' --data-binary @message.eml \\
  ${location.origin + location.pathname}classify-stream`}
        </code>
      </pre>
      <p class="quiet">
        <code>docs/integrations</code> has the steps for Postfix, Sendmail, Exim, Haraka, Stalwart,
        Dovecot, mailcow, and the clients of SpamAssassin and Rspamd.
      </p>
    </section>
  )
}
