/**
 * What the service says of the example, shortened. Written by `npm run docs`, from the shipped
 * models.
 */

export const VERDICT = {
  "isSpam": false,
  "spamProbability": 0.1068,
  "classification": "transactions",
  "textSpamScore": 0.349,
  "metaSpamScore": 0.1695,
  "confidenceMargin": 0.8395,
  "entropy": 0.4903,
  "disagreement": 0.1794,
  "shouldEscalate": false,
  "bypassReason": null,
  "senderAuthenticated": false
}

export const SCORE = {
  "score": 0,
  "requiredScore": 5,
  "sentence": "Probably not spam: its wording is typical of wanted mail.",
  "reasons": [
    {
      "name": "TAMIS_BASE",
      "points": 2.7407,
      "description": "Where every message starts."
    },
    {
      "name": "TAMIS_TEXT",
      "points": -1.4219,
      "description": "The wording.",
      "evidence": "total, salt, path"
    }
  ]
}

export const CLASS_VERDICT = {
  "classification": "transactions",
  "confidence": 0.9914,
  "classificationProbabilities": {
    "primary": 0.0027,
    "promotions": 0.0009,
    "updates": 0.005,
    "transactions": 0.9914
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
            "start": 5,
            "end": 10,
            "logit": -0.063
          },
          {
            "start": 11,
            "end": 15,
            "logit": -0.0442
          }
        ]
      },
      "body": {
        "text": "Thank you for your order, Sam.",
        "marks": [
          {
            "start": 0,
            "end": 5,
            "logit": -0.0561
          },
          {
            "start": 19,
            "end": 24,
            "logit": -0.0639
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
        "subject word \"your\"": 0.1278,
        "message word \"your\"": 0.1278,
        "subject word \"order\"": 0.1278
      },
      "outputs": {
        "logit": -0.6236,
        "probability": 0.349,
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
        "logit": -1.5889,
        "probability": 0.1695
      }
    },
    "reader": null,
    "tabs": {
      "inputs": {
        "text features": 71,
        "FROM_ROLE": 1,
        "RECIPIENTS_NAME_MISSING": 1
      },
      "outputs": {
        "logit primary": -6.0926,
        "logit promotions": -7.1976,
        "logit updates": -5.4837,
        "logit transactions": -0.1971,
        "primary": 0.0027,
        "promotions": 0.0009,
        "updates": 0.005,
        "transactions": 0.9914
      }
    },
    "embedding": {
      "model": "tamis-static-2026.11.2",
      "inputs": {
        "terms": 44
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
    "learned": [],
    "classRule": null,
    "classMemory": null,
    "correspondent": null,
    "available": true
  },
  "explanation": {
    "sentence": {
      "verdict": "Probably not spam",
      "reasons": "its wording is typical of wanted mail"
    },
    "logit": -2.1236,
    "probability": 0.1068,
    "threshold": 0.9463,
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
    "sender": "unchecked",
    "for": [
      {
        "kind": "baseline",
        "logit": 0.6172
      },
      {
        "kind": "meta",
        "name": "spacesShare 32-63",
        "value": 1,
        "logit": 0.2704
      }
    ],
    "against": [
      {
        "kind": "wording",
        "logit": -1.4219,
        "count": 71,
        "words": [
          {
            "span": {
              "view": "message",
              "kind": "word",
              "text": "total"
            },
            "logit": -0.3721
          },
          {
            "span": {
              "view": "message",
              "kind": "word",
              "text": "warehouse"
            },
            "logit": 0.3327
          }
        ]
      },
      {
        "kind": "meta",
        "name": "digitsShare 8-15",
        "value": 1,
        "logit": -0.5424
      }
    ]
  }
}
