import CommandLineParsing
import SwiftDataModels

/// What the options say of Swift sources that declare the models.
struct SourceArguments: Sendable {
    var schema: String?
    var modelTypes: [String] = []
    var conditions: [ConditionArgument] = []
    var rules: String?

    var selection: SwiftDataSelection {
        SwiftDataSelection(
            schema: schema, modelTypes: modelTypes,
            conditions: Dictionary(conditions.map { ($0.name, $0.isTrue) }, uniquingKeysWith: { $1 }), rules: rules)
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

extension Flag where Options: OptionTable {
    static func schema(_ path: Path<String?>) -> Self {
        .optionalValue(
            "schema", path, placeholder: "NAME",
            "Of Swift sources: only this VersionedSchema.")
    }

    static func modelTypes(_ path: Path<[String]>) -> Self {
        .values(
            "model-types", path, separator: ",", placeholder: "CLASS,...",
            "Of Swift sources: the @Model classes of the schema, if no list in the sources names them.")
    }

    static func swiftDataRules(_ path: Path<String?>) -> Self {
        .optionalValue(
            "swiftdata-rules", path, placeholder: "FILE",
            "Of Swift sources: what stores told where no rule is established, as hashes --fit --save writes it; "
                + ".ferry-swiftdata beside the sources by default.")
    }

    static func conditions(_ path: Path<[ConditionArgument]>) -> Self {
        .values(
            "define", path, placeholder: "NAME[=NO]",
            "Of Swift sources: a condition of #if that the app's build defines, or does not.")
    }
}
