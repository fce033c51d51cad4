import CommandLineParsing

/// How the values of transformable attributes are written.
enum ArchiveWriting: String, CaseIterable, Sendable {
    case base64, json
}

extension Flag where Options: OptionTable {
    /// Returns the option `--transformer NAME=COMMAND`.
    static func transformers(_ path: Path<[TransformerArgument]>) -> Self {
        .values(
            "transformer", path, placeholder: "NAME=COMMAND",
            "The program that is the value transformer of this name in the model.")
    }
}
