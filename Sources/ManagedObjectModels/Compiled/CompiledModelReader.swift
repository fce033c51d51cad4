import DocumentReading
import KeyedArchives

/// Reads compiled models: `.mom` files, and the same archive in the model cache of a store.
public enum CompiledModelReader {
    /// A compiled model that is larger than this many bytes is refused; the largest known has 400 kB.
    static let maximumSize = 256 << 20

    /// Reads a `.mom` file.
    /// - Throws: `ModelError` for a file that is not an intact archive of a model, and for names that occur twice. What
    ///   has no counterpart in a model's description is skipped with a warning.
    public static func read(path: String) throws(ModelError) -> ModelDocument {
        let source: SourceText
        do {
            source = try SourceText(path: path, maximumSize: maximumSize)
        } catch {
            throw ModelError(error)
        }
        return try read(bytes: source.bytes, name: path)
    }

    /// Reads a model in memory; `name` stands for the file in messages.
    /// - Throws: `ModelError` for bytes that are not an intact archive of a model, and for names that occur twice.
    public static func read(bytes: [UInt8], name: String) throws(ModelError) -> ModelDocument {
        try ArchivedModelError.catching(name) {
            var parser = CompiledModelParser(path: name)
            return try parser.document(KeyedArchive(bytes).root())
        }
    }
}

/// Errors of archives as errors of the model in them.
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
