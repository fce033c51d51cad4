/// What of the sources is meant.
public struct SwiftDataSelection: Sendable, Hashable {
    /// The version: the name of a type that conforms to `VersionedSchema`; nil for all.
    public var schema: String?

    /// The classes of the only version, where no list in the sources is meant.
    public var modelTypes: [String]

    /// Names in `#if` that the build defines, or does not.
    public var conditions: [String: Bool]

    /// The paths of files and folders that are left out, such as those of another target.
    public var excluded: [String]

    /// The file of what stores told (`SwiftDataRules`); nil for the ones beside the sources, if there are any.
    public var rules: String?

    /// What `Date()` and `UUID()` stand for.
    public var moment: SwiftDataMoment

    /// Makes a selection; without arguments it is everything in the sources.
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

    /// Whether only Swift sources can be meant.
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
