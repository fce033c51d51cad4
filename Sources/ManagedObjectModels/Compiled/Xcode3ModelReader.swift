import DocumentReading
import KeyedArchives

/// Reads the `elements` file of an `.xcdatamodel` of Xcode 3: an archive of the modelling tool's own objects.
///
/// The file `layout` beside it has only the geometry of the diagram and it is not read.
public enum Xcode3ModelReader {
    /// Reads an `elements` file.
    /// - Throws: `ModelError` for a file that is not an intact archive of such a model.
    public static func read(path: String) throws(ModelError) -> ModelDocument {
        let source: SourceText
        do {
            source = try SourceText(path: path, maximumSize: CompiledModelReader.maximumSize)
        } catch {
            throw ModelError(error)
        }
        return try read(bytes: source.bytes, name: path)
    }

    /// Reads a model in memory; `name` is used in messages instead of a file name. The blobs in mapping models have
    /// this format, too.
    /// - Throws: `ModelError` for bytes that are not an intact archive of such a model.
    public static func read(bytes: [UInt8], name: String) throws(ModelError) -> ModelDocument {
        try ArchivedModelError.catching(name) {
            var parser = Xcode3ModelParser(path: name)
            return try parser.document(KeyedArchive(bytes).root())
        }
    }
}
