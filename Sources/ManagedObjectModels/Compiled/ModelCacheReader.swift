import CompressedStreams

/// Reads the model that a SQLite store contains in `Z_MODELCACHE`: a compressed compiled model.
public enum ModelCacheReader {
    /// Reads the content of `Z_CONTENT`; `name` is used in messages instead of the store's path.
    /// - Throws: `ModelError` for data that cannot be decompressed, and for models that `CompiledModelReader` refuses.
    public static func read(_ content: [UInt8], name: String) throws(ModelError) -> ModelDocument {
        let bytes: [UInt8]
        do {
            bytes = try RawDeflate.inflate(content, limit: CompiledModelReader.maximumSize)
        } catch {
            throw ModelError(.unreadable("model cache: \(error)"), path: name)
        }
        return try CompiledModelReader.read(bytes: bytes, name: name)
    }
}
