import CommandLineParsing

extension Command {
    static let mapping = Command(
        "mapping", "Convert and check mapping models",
        discussion:
            "Mapping models come in three forms: Ferry's own, YAML, which people read and edit; the source form "
            + "of Xcode's editor, a folder X.xcmappingmodel; and the compiled form that Core Data loads, X.cdm. All "
            + "are known by their content.",
        commands: [.mappingConvert, .mappingCheck])
}
