import PersistentStores
import TextEncodings

/// The reason why a migration was not started or not completed; the store is not changed then.
public struct MigrationError: Error, Sendable {
    /// The kinds of errors.
    public enum Code: Sendable, Hashable {
        /// The plan is refused; its findings contain the reasons.
        case refused([MigrationFinding])
        /// A later step of a chain is refused: a description of the step and the findings of its plan, which can only
        /// be made when the step is reached.
        case stepRefused(String, [MigrationFinding])
        /// Objects that a mapping model, a policy or a stage has created violate rules of the model.
        case invalid([MigrationFinding])
        /// `isCancelled` returned true.
        case cancelled
        /// The work of an earlier run cannot be continued; the value is the reason.
        case resumeRefused(String)
        /// Another process wrote to the store after the migration was planned and before it ended.
        case changedMeanwhile
        /// No version has the hashes of the store; the value describes the differences from the most similar version.
        case unknownVersion(UnknownVersion)
        /// The version has no configuration of this name; `known` contains the names of its configurations.
        case unknownConfiguration(String, version: String, known: [String])
        /// An entity of the configuration needs another entity, which the configuration lacks.
        case openConfiguration(String, entity: String, needs: String)
        /// A value names a file of external data that does not exist.
        case externalRecordMissing(column: String, key: Int64, file: String)
        /// A value names a file of external data that is larger than a value can be. Both sizes are in bytes.
        case externalRecordTooLarge(column: String, key: Int64, file: String, bytes: Int64, largest: Int64)
        /// A value that may be external neither contains its data nor names a file.
        case externalValueMalformed(column: String, key: Int64)
        /// The result differs from the plan; the values describe the differences.
        case verificationFailed([String])
        /// Objects violate a uniqueness constraint; the value is SQLite's message.
        case constraint(String)
        /// A policy failed: the name of its entity mapping, the URI of the object that was processed, and the reason.
        case policy(mapping: String, object: String?, reason: String)
        /// A step failed: a description of the step, and SQLite's message.
        case step(String, String)
        /// The builder was requested, but cannot write the new file; the values are the reasons.
        case cannotBuild([String])
    }

    /// The kind of error, with its details.
    public let code: Code
    /// The path of the store.
    public let path: String
    /// The plan with all findings about the data, if the migration has made them while it wrote the data; nil if the
    /// plan that was executed contained all of them.
    public internal(set) var plan: MigrationPlan?

    /// Creates an error about a store.
    public init(_ code: Code, path: String) {
        self.code = code
        self.path = path
    }

    /// Whether the same call may succeed later.
    public var isTemporary: Bool { code == .changedMeanwhile }

    /// Cocoa's error number.
    public var cocoaCode: Int {
        switch code {
        case .refused(let findings), .stepRefused(_, let findings), .invalid(let findings):
            findings.lazy.filter { $0.severity == .error }.compactMap(\.cocoaCode).first ?? 134110
        case .cancelled: 134120
        case .unknownVersion: 134130
        case .unknownConfiguration, .openConfiguration: 134504
        case .externalRecordMissing, .externalRecordTooLarge, .externalValueMalformed: 134200
        case .constraint: 134111
        case .policy: 134170
        default: 134110
        }
    }
}

extension MigrationError: CustomStringConvertible {
    public var description: String { "\(path): \(sentence)" }

    private static func reasons(_ findings: [MigrationFinding]) -> String {
        findings.filter { $0.severity == .error }.map { finding in
            (finding.subject.map { "\($0): " } ?? "") + finding.message
                + (finding.values == nil ? "" : " [\(finding.examples.joined(separator: ", "))]")
        }.joined(separator: "; ")
    }

    private var sentence: String {
        switch code {
        case .refused(let findings):
            "the migration is refused, and nothing has changed: " + Self.reasons(findings)
        case .invalid(let findings):
            "objects that would be written break rules of the model, and nothing has changed: "
                + Self.reasons(findings)
        case .stepRefused(let step, let findings):
            "\(step) is refused by the data that it would meet, and nothing has changed: " + Self.reasons(findings)
        case .resumeRefused(let reason):
            "an earlier run cannot be continued: \(reason); leave out --resume to start over"
        case .cancelled: "cancelled; nothing has changed"
        case .cannotBuild(let reasons):
            "the builder cannot write the new file, and nothing has changed: \(reasons.joined(separator: "; ")); "
                + "migrate with --writer auto"
        case .changedMeanwhile:
            "another process wrote to the store in the meantime; nothing has changed: close it there and try again"
        case .unknownVersion(let version): version.description
        case .unknownConfiguration(let name, let version, let known):
            "\(version) has no configuration \"\(name)\"; "
                + (known.isEmpty
                    ? "it has none: add it to the model"
                    : (NearestName.find(name, among: known).map { "did you mean \($0)? " } ?? "")
                        + "name another with --configuration: \(known.joined(separator: ", "))")
        case .openConfiguration(let name, let entity, let other):
            "the configuration \"\(name)\" has \(entity) without \(other): no store can hold one without the other; "
                + "add \(other) to the configuration"
        case .externalRecordMissing(let column, let key, let file):
            "row \(key), column \(column): the file \(file) of its external data is missing; restore it, or the store"
        case .externalRecordTooLarge(let column, let key, let file, let bytes, let largest):
            "row \(key), column \(column): the file \(file) of its external data has \(bytes) bytes, too many for a "
                + "value in a row (\(largest)); leave external storage on for the attribute"
        case .externalValueMalformed(let column, let key):
            "row \(key), column \(column): the value is neither inline data nor the name of an external file"
        case .verificationFailed(let reasons):
            "the new store failed verification and was discarded: " + reasons.joined(separator: "; ")
        case .constraint(let reason):
            "the data break a uniqueness constraint of the new model (\(reason)); remove the duplicates first"
        case .policy(let mapping, let object, let reason):
            "the policy of \(mapping) failed\(object.map { " at \($0)" } ?? ""): \(reason); nothing has changed"
        case .step(let step, let reason): "\(step): \(reason); nothing has changed"
        }
    }
}
