/// A folder that holds the versions of one model: an `.xcdatamodeld`, or a compiled `.momd`.
public struct ModelBundle: Sendable, Hashable {
    /// The name without its extension.
    public let name: String
    /// The path of the folder.
    public let path: String

    /// The name of the version that the bundle calls current; nil if it calls none so.
    public let currentVersionName: String?

    /// Whether a file of the bundle says so: Xcode names the current version only where there was a choice.
    public let namesCurrentVersion: Bool

    /// What leads from one version to another, where a migration plan of the sources says so.
    public let stages: [Stage]

    /// A stage of a migration plan.
    public struct Stage: Sendable, Hashable {
        /// The names of the versions.
        public let from: String
        /// The name of the version that the stage ends with.
        public let to: String

        /// Whether code of the app does it, which only the app can run.
        public let isCustom: Bool

        /// Makes a stage of the names of its versions.
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

    /// The versions that sources declare together.
    public init(name: String, path: String, currentVersionName: String?, stages: [Stage]) {
        self.name = name
        self.path = path
        self.currentVersionName = currentVersionName
        namesCurrentVersion = currentVersionName != nil
        self.stages = stages
    }
}
