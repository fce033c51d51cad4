import DocumentReading
public import PersistentStores
public import StoreConversion
import XMLStores

/// Looks for what is wrong with a store that is read and written as a whole: XML, binary, in memory, and custom types.
///
/// A SQLite store in the folder for temporary files gets its objects, with their keys and faults, and the same rules
/// look at that; what has no place in such a store is told by the reader. Nothing else is written.
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
    ///   - newStore: the model that the store was made with; without one only the file and its metadata are checked.
    ///   - modelName: the name of the version, for the report.
    ///   - hashes: the version's hashes by entity, to hold the store's against; empty if they are not known.
    ///   - registry: the store types that are known.
    ///   - options: what is looked for.
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

    /// Looks at a store in memory.
    ///
    /// - Parameters:
    ///   - memory: the store.
    ///   - newStore: the model that the store was made with.
    ///   - name: what the report calls it.
    ///   - modelName: the name of the version, for the report.
    ///   - registry: the store types that are known.
    ///   - options: what is looked for.
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

    /// Checks everything that a store of its type can have wrong.
    ///
    /// - Parameter known: what the caller has found already.
    /// - Throws: `StoreError` where the store cannot be read at all; a file that breaks off is a finding.
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
                // The sentence; an excerpt of the file below it would break the list.
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

    /// What is wrong with the objects.
    private func contents(_ newStore: NewStore) throws -> (findings: [VerificationFinding], rows: Int64) {
        let model = newStore.layout.model
        // What the configuration leaves out is to be found, and not to be dropped on the way.
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

    /// Whether it says that the file is not as its format has it.
    static func isFault(_ error: any Error) -> Bool {
        if error is DocumentError { return true }
        guard let error = error as? ConversionError else { return false }
        switch error.code {
        case .malformed, .duplicateKey, .unfitKey, .unfitValue: return true
        default: return false
        }
    }
}
