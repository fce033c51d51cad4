/// A store with version hashes that match no model, and the most similar version.
public struct UnknownVersion: Sendable, Hashable {
    /// A difference between an entity in the store and in the most similar version.
    public enum Difference: Sendable, Hashable {
        /// The version has no entity with this name.
        case onlyInStore(String)
        /// The store has no entity with this name.
        case onlyInModel(String)
        /// The hashes differ; with the differences of the entity, if they can be determined.
        case otherHash(String, change: String?)
    }

    /// The version that shares the most entity hashes with the store; nil if there are no versions.
    public let nearest: String?
    /// The differences between the entities of the store and of the most similar version, sorted by name.
    public let differences: [Difference]

    /// The number of the store's entities whose hashes match those of the most similar version.
    public let matching: Int
    /// The number of entities in the store.
    public let entityCount: Int

    /// The Swift sources that declare the most similar version; nil if it is not declared by Swift sources.
    public var sources: String?

    /// The command's option that specifies a version for such stores; nil if there is none.
    public var versionOption: String?

    /// The reasons why other versions could not be read; one of them may be the store's version.
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
    /// Whether store and version have no entity name in common.
    var isUnrelated: Bool {
        matching == 0 && !differences.contains { if case .otherHash = $0 { true } else { false } }
    }

    /// The first differences, because a model may have hundreds of entities.
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
