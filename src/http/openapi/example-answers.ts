/**
 * What the service says of the example, shortened. Written by `npm run docs`, from the shipped
 * models.
 */

export const VERDICT = {
  "isSpam": false,
  "spamProbability": 0.1927,
  "classification": "transactions",
  "textSpamScore": 0.612,
  "metaSpamScore": 0.1414,
  "confidenceMargin": 0.7708,
  "entropy": 0.7071,
  "disagreement": 0.4706,
  "shouldEscalate": false,
  "bypassReason": null,
  "senderAuthenticated": false
}

export const SCORE = {
  "score": 0.3,
  "requiredScore": 5,
  "reasons": [
    {
      "name": "TAMIS_BASE",
      "points": 3.6941,
      "description": "Where the score begins: what is the same for all messages."
    },
    {
      "name": "TAMIS_TEXT",
      "points": -1.5944,
      "description": "Words and phrases of the message.",
      "evidence": "message pair \"0 00\", message word \"00000\", message pair \"00 00\""
    }
  ]
}

export const CLASS_VERDICT = {
  "classification": "transactions",
  "confidence": 0.9531,
  "classificationProbabilities": {
    "primary": 0.0119,
    "promotions": 0.0017,
    "updates": 0.0333,
    "transactions": 0.9531
  },
  "personalizationSource": null
}

export const DETAILS = {
  "email": {
    "bytes": 626,
    "subject": "Your order 1048-77215 is confirmed",
    "from": "Harbour Street Books <orders@example.net>",
    "date": "Fri, 7 Nov 2025 18:03:28 +0000",
    "receivedAt": "2025-11-07T18:03:31.000Z",
    "messageId": "<order-1048-77215@example.net>",
    "parts": [
      {
        "type": "text/plain",
        "depth": 0,
        "bytes": 255
      }
    ],
    "attachments": [],
    "oddities": [],
    "language": "en",
    "reading": {
      "subject": {
        "text": "Your order 1048-77215 is confirmed",
        "marks": [
          {
            "start": 0,
            "end": 4,
            "logit": 0.1631
          },
          {
            "start": 5,
            "end": 10,
            "logit": -0.1291
          }
        ]
      },
      "body": {
        "text": "Thank you for your order, Sam.",
        "marks": [
          {
            "start": 0,
            "end": 5,
            "logit": -0.0044
          },
          {
            "start": 6,
            "end": 9,
            "logit": 0.0356
          }
        ],
        "unread": null
      }
    },
    "readAs": "whole",
    "authentication": null
  },
  "models": {
    "text": {
      "inputs": {
        "subject word \"your\"": 0.0845,
        "message word \"your\"": 0.0845,
        "subject word \"order\"": 0.0845
      },
      "outputs": {
        "logit": 0.4556,
        "probability": 0.612,
        "features": 71
      }
    },
    "meta": {
      "inputs": {
        "FROM_ROLE": 1,
        "RECIPIENTS_NAME_MISSING": 1,
        "DKIM_NONE": 1
      },
      "outputs": {
        "logit": -1.8037,
        "probability": 0.1414
      }
    },
    "tabs": {
      "inputs": {
        "text features": 71,
        "FROM_ROLE": 1,
        "RECIPIENTS_NAME_MISSING": 1
      },
      "outputs": {
        "logit primary": -6.4033,
        "logit promotions": -8.344,
        "logit updates": -5.3712,
        "logit transactions": -2.0184,
        "primary": 0.0119,
        "promotions": 0.0017,
        "updates": 0.0333,
        "transactions": 0.9531
      }
    },
    "embedding": {
      "model": "tamis-static-2026.11.2",
      "inputs": {
        "terms": 34
      },
      "outputs": {}
    }
  },
  "urlScanner": {
    "links": [
      {
        "href": "https://www.example.net/orders/1048-77215",
        "text": "https://www.example.net/orders/1048-77215",
        "source": "text",
        "host": "www.example.net",
        "registrableDomain": "example.net",
        "leadsTo": "https://www.example.net/orders/1048-77215",
        "leadsToDomain": "example.net",
        "shows": null,
        "match": null
      }
    ],
    "match": null
  },
  "personalization": {
    "rule": null,
    "memory": null,
    "classRule": null,
    "classMemory": null,
    "available": true
  },
  "explanation": {
    "logit": -1.4325,
    "probability": 0.1927,
    "threshold": 0.9635,
    "signals": [
      {
        "name": "FROM_ROLE",
        "evidence": "orders@example.net"
      },
      {
        "name": "SENDER_SAME_DOMAIN",
        "evidence": "example.net"
      }
    ],
    "for": [
      {
        "feature": "bias",
        "value": 1,
        "logit": 1.9617
      },
      {
        "feature": "meta: visibleCharacters 128-255",
        "value": 1,
        "logit": 0.3786
      }
    ],
    "against": [
      {
        "feature": "meta: digitsShare 8-15",
        "value": 1,
        "logit": -0.7205
      },
      {
        "feature": "meta: MIME_VERSION_MISSING",
        "value": 1,
        "logit": -0.5921
      }
    ]
  }
}
