/// A selection of the models in Swift sources.
public struct SwiftDataSelection: Sendable, Hashable {
    /// The version: the name of a type that conforms to `VersionedSchema`; nil for all.
    public var schema: String?

    /// The classes of the only version, if no list in the sources is to be used.
    public var modelTypes: [String]

    /// Whether names in `#if` are defined.
    public var conditions: [String: Bool]

    /// The paths of excluded files and folders, such as those of another target.
    public var excluded: [String]

    /// The path of the file with rules learned from stores (`SwiftDataRules`); nil for the files beside the sources, if
    /// there are any.
    public var rules: String?

    /// The values of `Date()` and `UUID()`.
    public var moment: SwiftDataMoment

    /// Makes a selection; without arguments it includes everything in the sources.
    public init(
        schema: String? = nil, modelTypes: [String] = [], conditions: [String: Bool] = [:],
        excluded: [String] = [], rules: String? = nil, moment: SwiftDataMoment = .current
    ) {
        self.schema = schema
        self.modelTypes = modelTypes
        self.conditions = conditions
        self.excluded = excluded
        self.rules = rules
        self.moment = moment
    }

    /// Whether the selection applies only to Swift sources.
    var namesModels: Bool { schema != nil || !modelTypes.isEmpty }

    public static func == (left: SwiftDataSelection, right: SwiftDataSelection) -> Bool {
        left.schema == right.schema && left.modelTypes == right.modelTypes && left.conditions == right.conditions
            && left.excluded == right.excluded && left.rules == right.rules
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(schema)
        hasher.combine(modelTypes)
        hasher.combine(conditions)
        hasher.combine(excluded)
        hasher.combine(rules)
    }
}
