/**
 * What the service says of the example, shortened. Written by `npm run docs`, from the shipped
 * models.
 */

export const VERDICT = {
  "isSpam": false,
  "spamProbability": 0.3665,
  "classification": "transactions",
  "textSpamScore": 0.6826,
  "metaSpamScore": 0.2253,
  "confidenceMargin": 0.5244,
  "entropy": 0.948,
  "disagreement": 0.4573,
  "shouldEscalate": false,
  "bypassReason": null,
  "senderAuthenticated": false
}

export const SCORE = {
  "score": 2.4,
  "requiredScore": 5,
  "reasons": [
    {
      "name": "TAMIS_BASE",
      "points": 3.8179,
      "description": "The starting score, the same for all messages."
    },
    {
      "name": "TAMIS_FORM",
      "points": -0.5211,
      "description": "How the message is built: counts of fields, parts, links and the like."
    }
  ]
}

export const CLASS_VERDICT = {
  "classification": "transactions",
  "confidence": 0.9959,
  "classificationProbabilities": {
    "primary": 0.0014,
    "promotions": 0.0003,
    "updates": 0.0024,
    "transactions": 0.9959
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
            "logit": 0.2231
          },
          {
            "start": 5,
            "end": 10,
            "logit": -0.277
          }
        ]
      },
      "body": {
        "text": "Thank you for your order, Sam.",
        "marks": [
          {
            "start": 0,
            "end": 5,
            "logit": -0.0262
          },
          {
            "start": 6,
            "end": 9,
            "logit": 0.0256
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
        "logit": 0.7658,
        "probability": 0.6826,
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
        "logit": -1.2349,
        "probability": 0.2253
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
        "logit primary": -6.9213,
        "logit promotions": -8.3918,
        "logit updates": -6.3539,
        "logit transactions": -0.342,
        "primary": 0.0014,
        "promotions": 0.0003,
        "updates": 0.0024,
        "transactions": 0.9959
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
    "logit": -0.5472,
    "probability": 0.3665,
    "threshold": 0.8909,
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
        "logit": 0.8707
      },
      {
        "kind": "text",
        "span": {
          "view": "message",
          "kind": "word",
          "text": "our"
        },
        "value": 0.1278,
        "logit": 0.2987
      }
    ],
    "against": [
      {
        "kind": "meta",
        "name": "digitsShare 8-15",
        "value": 1,
        "logit": -0.5611
      },
      {
        "kind": "meta",
        "name": "MIME_VERSION_MISSING",
        "value": 1,
        "logit": -0.4305
      }
    ]
  }
}
