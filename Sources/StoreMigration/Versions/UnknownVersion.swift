/// A store whose version hashes no model has, and how near the nearest comes.
public struct UnknownVersion: Sendable, Hashable {
    /// How an entity differs between the store and the nearest version.
    public enum Difference: Sendable, Hashable {
        /// The version does not have an entity of this name.
        case onlyInStore(String)
        /// The store does not have an entity of this name.
        case onlyInModel(String)
        /// With what the store's entity has otherwise, where that can be told.
        case otherHash(String, change: String?)
    }

    /// The version that has the most entity hashes in common; nil if there is no version at all.
    public let nearest: String?
    /// How the entities differ between the store and the nearest version, by name.
    public let differences: [Difference]

    /// Entities of the store whose hash the nearest version has, and all of them.
    public let matching: Int
    /// How many entities the store has.
    public let entityCount: Int

    /// The Swift sources that declare the nearest version; nil if none do.
    public var sources: String?

    /// The option of the command that names a version all the same; nil if it has none.
    public var versionOption: String?

    /// Why other versions could not be read: one of them may be the store's.
    public var unreadable: [String] = []
}

extension UnknownVersion: CustomStringConvertible {
    public var description: String {
        guard let first = unreadable.first else { return sentence }
        return sentence + "; \(unreadable.count == 1 ? "a version" : "\(unreadable.count) versions") could not be "
            + "read and may be the store's: \(first)"
    }

    private var sentence: String {
        guard let nearest else {
            return "there is no model to open the store with: it carries none, and no other was found; name one "
                + "with --models"
        }
        let start = "The model used to open the store is incompatible with the one used to create the store: "
        if isUnrelated {
            return start + "no version has any of its entities; name the models of the app that made it with --models"
        }
        return start + "no version has its hashes; \"\(nearest)\" comes nearest "
            + "(\(matching) of \(entityCount) entities): " + differenceText
            + "; find the version that the app was shipped with"
            + (versionOption.map { ", or name one with \($0) to use it if the tables fit" } ?? "")
            + (sources.map { "; \"ferry hashes --fit STORE \($0)\" tells more" } ?? "")
    }
}

extension UnknownVersion {
    /// Whether not even the name of an entity is in both.
    var isUnrelated: Bool {
        matching == 0 && !differences.contains { if case .otherHash = $0 { true } else { false } }
    }

    /// The first of the differences: a model of a hundred entities would fill the screen.
    var differenceText: String { Self.text(of: differences.map(\.description)) }

    static func text(of differences: [String]) -> String {
        let limit = 10
        let rest =
            differences.count > limit
            ? ["\(differences.count - limit) more, which \"ferry inspect --json\" lists"] : []
        return (differences.prefix(limit) + rest).joined(separator: ", ")
    }
}

extension UnknownVersion.Difference: CustomStringConvertible {
    public var description: String {
        switch self {
        case .onlyInStore(let name): "\(name) is only in the store"
        case .onlyInModel(let name): "\(name) is only in the model"
        case .otherHash(let name, let change):
            "\(name) has another version hash" + (change.map { " (in the store: \($0))" } ?? "")
        }
    }
}
