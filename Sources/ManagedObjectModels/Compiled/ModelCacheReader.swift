import CompressedStreams

/// Reads the model that a SQLite store carries in `Z_MODELCACHE`: a compiled model, compressed.
public enum ModelCacheReader {
    /// Reads the content of `Z_CONTENT`; `name` stands for the store in messages.
    /// - Throws: `ModelError` for data that cannot be unpacked and for whatever `CompiledModelReader` refuses.
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
