import DocumentReading
public import PersistentStores
public import StoreConversion
import XMLStores

/// Checks a store that is read and written as a whole for faults: XML, binary, in-memory, and custom types.
///
/// The objects are copied, with their keys and faults, to a SQLite store in the folder for temporary files, which is
/// checked by the same rules; the reader reports faults that a SQLite store cannot have. Nothing else is written.
public struct AtomicStoreVerifier {
    private let path: String
    private let memory: InMemoryStore?
    private let newStore: NewStore?
    private let modelName: String?
    private let hashes: [String: [UInt8]]
    private let registry: PersistentStoreRegistry
    private let options: StoreVerifier.Options

    /// Prepares the verification of a store.
    /// - Parameters:
    ///   - path: the path of the store.
    ///   - newStore: the description of a store of the same model version; if nil, only the file and its metadata are
    ///     checked.
    ///   - modelName: the name of the version, for the report.
    ///   - hashes: the version's hashes by entity, which the store's are compared with; empty if unknown.
    ///   - registry: the known store types.
    ///   - options: the options of the verification.
    public init(
        path: String, _ newStore: NewStore?, named modelName: String? = nil, hashes: [String: [UInt8]] = [:],
        registry: PersistentStoreRegistry = .standard, options: StoreVerifier.Options = .init()
    ) {
        self.path = path
        memory = nil
        self.newStore = newStore
        self.modelName = modelName
        self.hashes = hashes
        self.registry = registry
        self.options = options
    }

    /// Prepares the verification of a store in memory.
    ///
    /// - Parameters:
    ///   - memory: the store.
    ///   - newStore: the description of a store of the same model version.
    ///   - name: the name of the store in the report.
    ///   - modelName: the name of the version, for the report.
    ///   - registry: the known store types.
    ///   - options: the options of the verification.
    public init(
        _ memory: InMemoryStore, _ newStore: NewStore, name: String = "memory", named modelName: String? = nil,
        registry: PersistentStoreRegistry = .standard, options: StoreVerifier.Options = .init()
    ) {
        path = name
        self.memory = memory
        self.newStore = newStore
        self.modelName = modelName
        hashes = [:]
        self.registry = registry
        self.options = options
    }

    /// Checks all rules that apply to the store's type.
    ///
    /// - Parameter known: findings of the caller.
    /// - Throws: `StoreError` if the store cannot be read at all; a truncated file is a finding.
    public func verify(with known: [VerificationFinding] = []) throws -> VerificationReport {
        let start = Clock.seconds
        let uuid = try memory?.metadata.uuid ?? registry.metadata(at: path).uuid
        var findings = known
        var rows: Int64 = 0
        if memory == nil, isAsked(.leftoverFile) {
            findings += StoreFileChecks.leftovers(of: StoreFiles(followingLinks: path), limit: options.exampleLimit)
        }
        if memory == nil, isAsked(.networkFileSystem), let name = FileSystem.networkFileSystem(path) {
            findings.append(VerificationFinding(.networkFileSystem, subject: name))
        }
        if memory == nil, isAsked(.documentInvalid), (try? registry.type(at: path)) == .xml {
            do {
                try XMLStoreValidator.validate(path: path)
            } catch {
                findings.append(
                    VerificationFinding(
                        .documentInvalid, detail: "line \(error.location.line): \(error.sentence)"))
            }
        }
        if let newStore {
            do {
                let content = try contents(newStore)
                findings += content.findings
                rows = content.rows
            } catch let error where Self.isFault(error) {
                // Only the sentence; an excerpt of the file below it would break the layout of the list.
                let reason = "\(error)".prefix { $0 != "\n" }
                findings.append(VerificationFinding(.databaseDamaged, message: "the file cannot be read: \(reason)"))
            }
        }
        return VerificationReport(
            store: path, storeUUID: uuid, model: newStore == nil ? nil : modelName ?? "named",
            findings: findings.filter { $0.rule.map(isAsked) ?? true }, rows: rows, seconds: Clock.seconds - start)
    }

    private func isAsked(_ rule: VerificationRule) -> Bool {
        rule.concernsAtomicStores && (options.rules.isEmpty || options.rules.contains(rule))
    }

    /// Returns the faults of the objects.
    private func contents(_ newStore: NewStore) throws -> (findings: [VerificationFinding], rows: Int64) {
        let model = newStore.layout.model
        // Objects outside the configuration must be found, and not dropped during the copy.
        var whole = newStore
        whole.objectEntities = nil
        let working = try WorkingStore(
            of: memory.map { .init($0, model: model, name: path) } ?? .init(path: path, model: model), whole,
            registry: registry, keepsFaults: true, isCancelled: options.isCancelled)
        defer { withExtendedLifetime(working) {} }
        let store = try SQLiteStore(path: working.path)
        var inner = options
        inner.rules = Set(VerificationRule.allCases.filter { isAsked($0) && $0 != .leftoverFile })
        inner.rules.subtract([.networkFileSystem, .documentInvalid])
        inner.rules = VerificationRule.standingFor(inner.rules)
        let links = working.linkFindings(uuid: store.metadata.uuid, limit: options.exampleLimit)
        guard !inner.rules.isEmpty else { return (links, 0) }
        let report = try StoreVerifier(
            store, model: newStore.layout.model, named: modelName, hashes: hashes,
            objectEntities: newStore.objectEntities, options: inner
        ).verify()
        return (links + working.withoutNumbersLost(report.findings).map(\.inAtomicStore), report.rows)
    }

    /// Returns whether the error means that the file is malformed.
    static func isFault(_ error: any Error) -> Bool {
        if error is DocumentError { return true }
        guard let error = error as? ConversionError else { return false }
        switch error.code {
        case .malformed, .duplicateKey, .unfitKey, .unfitValue: return true
        default: return false
        }
    }
}
