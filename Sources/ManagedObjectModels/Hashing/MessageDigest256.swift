import CNettle

/// SHA-256 over parts, each hashed without a length or terminator.
struct MessageDigest256 {
    private var context = sha256_ctx()

    init() {
        nettle_sha256_init(&context)
    }

    mutating func update(_ bytes: [UInt8]) {
        nettle_sha256_update(&context, bytes.count, bytes)
    }

    mutating func update(_ byte: UInt8) {
        update([byte])
    }

    /// Adds the UTF-8 form of a text.
    mutating func update(_ text: String) {
        update(Array(text.utf8))
    }

    /// Adds a number as 32 bits in little-endian order.
    mutating func update(littleEndian number: UInt32) {
        update((0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) })
    }

    /// Returns the hash, 32 bytes.
    consuming func finish() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
        nettle_sha256_digest(&context, digest.count, &digest)
        return digest
    }
}

/// Returns the SHA-512 of a whole message: 64 bytes.
func sha512(_ message: [UInt8]) -> [UInt8] {
    var context = sha512_ctx()
    nettle_sha512_init(&context)
    nettle_sha512_update(&context, message.count, message)
    var digest = [UInt8](repeating: 0, count: Int(SHA512_DIGEST_SIZE))
    nettle_sha512_digest(&context, digest.count, &digest)
    return digest
}
