import CommandLineParsing
import SwiftDataModels

/// The options for Swift sources that declare the models.
struct SourceArguments: Sendable {
    var schema: String?
    var modelTypes: [String] = []
    var conditions: [ConditionArgument] = []
    var excluded: [String] = []
    var rules: String?

    var selection: SwiftDataSelection {
        SwiftDataSelection(
            schema: schema, modelTypes: modelTypes,
            conditions: Dictionary(conditions.map { ($0.name, $0.isTrue) }, uniquingKeysWith: { $1 }),
            excluded: excluded,
            rules: rules)
    }
}

/// `DEBUG`, or `DEBUG=NO`.
struct ConditionArgument: ArgumentValue {
    let name: String
    let isTrue: Bool

    static let expectation = "NAME, NAME=YES or NAME=NO"

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard !parts[0].isEmpty, parts.count == 1 || ["YES", "NO"].contains(parts[1]) else { return nil }
        name = String(parts[0])
        isTrue = parts.count == 1 || parts[1] == "YES"
    }

    var argument: String { isTrue ? name : name + "=NO" }
}

/// Options of a command whose models may be Swift sources.
protocol SourceOptions: OptionTable {
    var sources: SourceArguments { get set }
}

extension SourceOptions {
    /// Returns the command's own options, followed by those for Swift sources.
    static func withSourceFlags(_ own: [Flag<Self>]) -> [Flag<Self>] {
        own + [
            .optionalValue(
                "schema", \.sources.schema, placeholder: "NAME", "Of Swift sources: only this VersionedSchema."),
            .values(
                "model-types", \.sources.modelTypes, separator: ",", placeholder: "CLASS,...",
                "Of Swift sources: the @Model classes of the schema, if no list in the sources names them."),
            .values(
                "define", \.sources.conditions, placeholder: "NAME[=NO]",
                "Of Swift sources: a condition of #if that the app's build defines, or does not."),
            .values(
                "exclude", \.sources.excluded, placeholder: "PATH",
                "Of Swift sources: a file or folder to leave out, such as another target's."),
            .optionalValue(
                "swiftdata-rules", \.sources.rules, placeholder: "FILE",
                "Of Swift sources: what stores told where no rule is established, as hashes --fit --save writes it; "
                    + ".ferry-swiftdata beside the sources by default."),
        ]
    }
}
