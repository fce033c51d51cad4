/// The reason why stages do not lead from a store's version to the destination.
public struct StagedMigrationError: Error, Equatable, Sendable {
    /// The kinds of errors.
    public enum Code: Equatable, Sendable {
        /// No version has this name or checksum.
        case referenceNotFound(String, known: [String])
        /// No stage contains the store's version.
        case unknownSource(String)
        /// No stage contains the destination.
        case unknownDestination(String)
        /// The destination precedes the store's version, or a stage leads back to a version.
        case backward(String, to: String)
        /// An edit does not fit the version; with the reason.
        case edit(String)
        /// The mapping model of a stage leads between other versions.
        case otherVersions(String, MappingVersionContradiction)
        /// A lightweight stage has no versions.
        case empty
    }

    /// The part of a stage in which the error is.
    public enum Part: Hashable, Sendable {
        /// A version of the stage, or an edit before or after its step, by its index, from 0.
        case version(Int), willMigrate(Int), didMigrate(Int)
    }

    /// The kind of error.
    public let code: Code

    /// The number of the stage, from 0; nil if the error is not in a single stage.
    public let stage: Int?
    /// The part of the stage; nil if the error is in the stage as a whole.
    public let part: Part?

    init(_ code: Code, stage: Int? = nil, part: Part? = nil) {
        self.code = code
        self.stage = stage
        self.part = part
    }

    /// The error code of Cocoa.
    public var cocoaCode: Int {
        switch code {
        case .referenceNotFound, .unknownSource, .unknownDestination, .empty: 134504
        case .backward: 134506
        case .edit: 134110
        case .otherVersions: 134140
        }
    }

    /// The problem and its remedy, without the place.
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
