/// The reason why no chain of steps could be chosen.
public enum ChainError: Error, Equatable, Sendable {
    /// Several mapping models lead from one version to another.
    case severalMappings([String], source: String, destination: String)

    /// Several ways are equally good; each is given by its mapping models.
    case severalWays([[String]], source: String, destination: String)

    /// A mapping model leads from a version to itself.
    case loop(String, version: String)

    /// One of several mapping models does not specify the versions between which it leads.
    case unplaced(String, reason: String)

    /// A mapping model leads between other versions than those of the migration.
    case otherVersions(String, MappingVersionContradiction)

    /// A store cannot be changed in place if several steps lead to the destination.
    case inPlace(steps: Int)

    /// The error code of Cocoa.
    public var cocoaCode: Int {
        switch self {
        case .unplaced, .otherVersions: 134140
        default: 134110
        }
    }
}

extension ChainError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .severalMappings(let names, let source, let destination):
            "several mapping models lead from \(source) to \(destination): \(names.joined(separator: ", ")); name one "
                + "of them with --mapping, and leave the others out"
        case .severalWays(let ways, let source, let destination):
            "several ways from \(source) to \(destination) are equally good: "
                + ways.map { $0.joined(separator: ", then ") }.joined(separator: "; or ")
                + "; name the mapping models of one of them with --mapping, or stop in between with --to"
        case .loop(let name, let version):
            "\(name): the mapping model leads from \(version) to itself; leave it out"
        case .unplaced(let name, let reason):
            "\(name): \(reason); fill in its versions with \"ferry mapping convert --models\", or name it alone"
        case .otherVersions(let name, let contradiction):
            contradiction.sentence(of: name)
        case .inPlace(let steps):
            "\(steps) steps lead to the destination, and --in-place can only take one; leave it out, or go in one step "
                + "with --chain direct"
        }
    }
}
