// The headers with which any page may read the responses of /api/v1.

export const CORS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'Error-Code, Error-Field, RateLimit, RateLimit-Policy, Retry-After, Idempotent-Replayed, ETag, Date',
}
