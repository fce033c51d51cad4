import CompressedStreams

/// What a compressed model cache of a store decompresses to; at most 16 MiB.
func decompress(_ modelCache: [UInt8]) throws -> [UInt8] {
    try RawDeflate.inflate(modelCache, limit: 16 << 20)
}
