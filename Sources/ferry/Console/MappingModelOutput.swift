import MappingModels
import PersistentStores

/// Writes mapping models where the user wants them.
enum MappingModelOutput {
    /// Writes a file, or the folder of a source mapping model with its file in it.
    static func write(_ model: MappingModel, form: MappingModelForm, to path: String) throws {
        let bytes = try MappingModelFile.bytes(of: model, form: form)
        var file = path
        if form == .source {
            if !FileSystem.exists(path) { try FileSystem.createDirectory(path) }
            file += "/xcmapping.xml"
        }
        try JSONText.write(bytes, to: file)
    }
}
