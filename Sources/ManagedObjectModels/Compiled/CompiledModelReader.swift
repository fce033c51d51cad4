import DocumentReading
import KeyedArchives

/// Reads compiled models: `.mom` files, and the same archive in the model cache of a store.
public enum CompiledModelReader {
    /// The maximum size of a compiled model in bytes; the largest known one has 400 kB.
    static let maximumSize = 256 << 20

    /// Reads a `.mom` file.
    /// - Throws: `ModelError` for a file that is not an intact archive of a model, and for names that occur twice.
    ///   Parts that a model's description cannot represent are skipped with a warning.
    public static func read(path: String) throws(ModelError) -> ModelDocument {
        let source: SourceText
        do {
            source = try SourceText(path: path, maximumSize: maximumSize)
        } catch {
            throw ModelError(error)
        }
        return try read(bytes: source.bytes, name: path)
    }

    /// Reads a model in memory; `name` is used in messages instead of a file name.
    /// - Throws: `ModelError` for bytes that are not an intact archive of a model, and for names that occur twice.
    public static func read(bytes: [UInt8], name: String) throws(ModelError) -> ModelDocument {
        try ArchivedModelError.catching(name) {
            var parser = CompiledModelParser(path: name)
            return try parser.document(KeyedArchive(bytes).root())
        }
    }
}

/// Turns errors of archives into errors of the models in them.
enum ArchivedModelError {
    static func catching(
        _ path: String, _ body: () throws -> ModelDocument
    ) throws(ModelError) -> ModelDocument {
        do {
            return try body()
        } catch var error as ModelError {
            error.path = error.path ?? path
            throw error
        } catch {
            throw ModelError(.unreadable("\(error)"), path: path)
        }
    }
}
