/// A store whose version hashes are none of the models', and how near the nearest comes.
public struct UnknownVersion: Sendable, Hashable {
    /// How an entity differs between the store and the nearest version.
    public enum Difference: Sendable, Hashable {
        case onlyInStore(String)
        case onlyInModel(String)
        case otherHash(String)
    }

    /// The version that has the most entity hashes in common; nil where there is no version at all.
    public let nearest: String?
    public let differences: [Difference]

    /// Entities of the store whose hash the nearest version has, and all of them.
    public let matching: Int
    public let entityCount: Int
}

extension UnknownVersion: CustomStringConvertible {
    public var description: String {
        let start = "The model used to open the store is incompatible with the one used to create the store: "
        guard let nearest else { return start + "there is no model version to compare with; name one with --models" }
        // A model of a hundred entities would fill the screen.
        let limit = 10
        var list = differences.prefix(limit).map(\.description)
        if differences.count > limit { list.append("\(differences.count - limit) more (\"ferry inspect --json\" lists all)") }
        return start + "no version has its hashes; \"\(nearest)\" comes nearest (\(matching) of \(entityCount) entities): "
            + list.joined(separator: ", ")
            + "; find the version that the app was shipped with, or name one with --from to use it if the tables fit"
    }
}

extension UnknownVersion.Difference: CustomStringConvertible {
    public var description: String {
        switch self {
        case .onlyInStore(let name): "\(name) is only in the store"
        case .onlyInModel(let name): "\(name) is only in the model"
        case .otherHash(let name): "\(name) has another version hash"
        }
    }
}
