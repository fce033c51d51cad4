import ImportMappings
import RecordConversion

extension SourceMapping {
    /// Returns whether values may name files, which are relative to the folder of the source.
    ///
    /// - Parameter surroundings: the settings of all sources.
    func mayNameFiles(in surroundings: ConversionSettings) -> Bool {
        var all = [surroundings, settings]
        for object in objects {
            all += object.attributes.map(\.conversion)
            for relationship in object.relationships {
                if case .key(let key) = relationship.target { all += key.parts.map(\.conversion) }
            }
        }
        return all.contains { $0.binary == "file" || $0.folder != nil }
    }
}
