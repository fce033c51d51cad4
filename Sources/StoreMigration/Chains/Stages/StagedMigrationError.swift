/// Why stages do not lead from a store's version to the destination.
public struct StagedMigrationError: Error, Equatable, Sendable {
    /// The kinds of errors.
    public enum Code: Equatable, Sendable {
        /// No version has that name or checksum.
        case referenceNotFound(String, known: [String])
        /// The store's version is in no stage.
        case unknownSource(String)
        /// The destination is in no stage.
        case unknownDestination(String)
        /// The destination comes before the store's version, or a stage leads back to a version.
        case backward(String, to: String)
        /// An edit does not fit the version; with what is wrong.
        case edit(String)
        /// The mapping model of a stage says that it leads between other versions.
        case otherVersions(String, MappingVersionContradiction)
        /// A lightweight stage without a version.
        case empty
    }

    /// The part of a stage that the error is about.
    public enum Part: Hashable, Sendable {
        /// A version of the stage, or an edit before or behind its step, by the place in its list, from 0.
        case version(Int), willMigrate(Int), didMigrate(Int)
    }

    /// What is wrong.
    public let code: Code

    /// The number of the stage, from 0, and its part; nil if the error is about all of them.
    public let stage: Int?
    /// The part of the stage; nil if the error is about the stage as a whole.
    public let part: Part?

    init(_ code: Code, stage: Int? = nil, part: Part? = nil) {
        self.code = code
        self.stage = stage
        self.part = part
    }

    /// Cocoa's error number.
    public var cocoaCode: Int {
        switch code {
        case .referenceNotFound, .unknownSource, .unknownDestination, .empty: 134504
        case .backward: 134506
        case .edit: 134110
        case .otherVersions: 134140
        }
    }

    /// What is wrong and what to do, without the place.
    public var sentence: String {
        let text =
            switch code {
            case .referenceNotFound(let name, let known):
                "no model version has the name or checksum \"\(name)\"; known are \(known.joined(separator: ", "))"
            case .unknownSource(let name):
                "Cannot use staged migration with an unknown model version.: the store is of \(name), and no stage has "
                    + "it; add it to a stage"
            case .unknownDestination(let name):
                "no stage leads to \(name); add it to a stage, or name another with --to"
            case .backward(let from, let to):
                "the stages would lead back from \(from) to \(to); they only lead forward: name a later version with --to, or "
                    + "put the stages in order"
            case .edit(let reason): reason
            case .otherVersions(let name, let contradiction): contradiction.sentence(of: name)
            case .empty: "the stage has no version"
            }
        return "\(text) (error \(cocoaCode))"
    }
}

extension StagedMigrationError: CustomStringConvertible {
    public var description: String { (stage.map { "stage \($0 + 1): " } ?? "") + sentence }
}
