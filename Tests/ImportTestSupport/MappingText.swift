package import ImportMappings

extension ImportMapping {
    /// Reads a mapping that a test holds as text.
    package init(yaml: String) throws {
        self = try ImportMappingReader.read(bytes: Array(yaml.utf8), name: "mapping.yaml").mapping
    }
}
