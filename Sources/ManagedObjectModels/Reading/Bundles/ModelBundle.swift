/// A folder that holds the versions of one model: an `.xcdatamodeld`, or a compiled `.momd`.
public struct ModelBundle: Sendable, Hashable {
    /// The name without its extension.
    public let name: String
    /// The path of the folder.
    public let path: String

    /// The name of the version that the bundle marks as current; nil if there is none.
    public let currentVersionName: String?

    /// Whether a file of the bundle names the current version: Xcode writes it only if there are several versions.
    public let namesCurrentVersion: Bool

    /// The stages between versions, if Swift sources declare a migration plan.
    public let stages: [Stage]

    /// A stage of a migration plan.
    public struct Stage: Sendable, Hashable {
        /// The name of the version that the stage begins with.
        public let from: String
        /// The name of the version that the stage ends with.
        public let to: String

        /// Whether the stage is performed by code of the app, which only the app can run.
        public let isCustom: Bool

        /// Makes a stage from the names of its versions.
        public init(from: String, to: String, isCustom: Bool) {
            self.from = from
            self.to = to
            self.isCustom = isCustom
        }
    }

    init(name: String, path: String, currentVersionName: String?, namesCurrentVersion: Bool) {
        self.name = name
        self.path = path
        self.currentVersionName = currentVersionName
        self.namesCurrentVersion = namesCurrentVersion
        stages = []
    }

    /// Makes a bundle of versions that Swift sources declare together.
    public init(name: String, path: String, currentVersionName: String?, stages: [Stage]) {
        self.name = name
        self.path = path
        self.currentVersionName = currentVersionName
        namesCurrentVersion = currentVersionName != nil
        self.stages = stages
    }
}
