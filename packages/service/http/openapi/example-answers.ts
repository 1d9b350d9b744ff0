/**
 * What the service says of the example, shortened. Written by `npm run docs`, from the shipped
 * models.
 */

export const VERDICT = {
  "isSpam": false,
  "spamProbability": 0.1776,
  "classification": "transactions",
  "textSpamScore": 0.5775,
  "metaSpamScore": 0.1159,
  "confidenceMargin": 0.7814,
  "entropy": 0.6747,
  "disagreement": 0.4615,
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
      "points": 3.5297,
      "description": "Where the score begins: what is the same for all messages."
    },
    {
      "name": "TAMIS_TEXT",
      "points": -1.3889,
      "description": "Words and phrases of the message.",
      "evidence": "message pair \"00 00\", message pair \"0 00\", message word \"00000\""
    }
  ]
}

export const CLASS_VERDICT = {
  "classification": "transactions",
  "confidence": 0.9705,
  "classificationProbabilities": {
    "primary": 0.0096,
    "promotions": 0.0006,
    "updates": 0.0193,
    "transactions": 0.9705
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
            "logit": 0.2505
          },
          {
            "start": 5,
            "end": 10,
            "logit": -0.0493
          }
        ]
      },
      "body": {
        "text": "Thank you for your order, Sam.",
        "marks": [
          {
            "start": 0,
            "end": 5,
            "logit": -0.0258
          },
          {
            "start": 6,
            "end": 9,
            "logit": 0.0611
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
        "logit": 0.3124,
        "probability": 0.5775,
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
        "logit": -2.0316,
        "probability": 0.1159
      }
    },
    "tabs": {
      "inputs": {
        "text features": 71,
        "FROM_ROLE": 1,
        "RECIPIENTS_NAME_MISSING": 1
      },
      "outputs": {
        "logit primary": -6.6333,
        "logit promotions": -9.3756,
        "logit updates": -5.9348,
        "logit transactions": -2.0163,
        "primary": 0.0096,
        "promotions": 0.0006,
        "updates": 0.0193,
        "transactions": 0.9705
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
    "logit": -1.533,
    "probability": 0.1776,
    "threshold": 0.959,
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
        "kind": "baseline",
        "logit": 1.6967
      },
      {
        "kind": "text",
        "span": {
          "view": "subject",
          "kind": "word",
          "text": "0000"
        },
        "value": 0.0845,
        "logit": 0.2234
      }
    ],
    "against": [
      {
        "kind": "meta",
        "name": "MIME_VERSION_MISSING",
        "value": 1,
        "logit": -0.6824
      },
      {
        "kind": "meta",
        "name": "digitsShare 8-15",
        "value": 1,
        "logit": -0.6753
      }
    ]
  }
}
