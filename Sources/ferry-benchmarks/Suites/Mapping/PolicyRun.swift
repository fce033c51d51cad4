import CommandLineParsing
import Glibc
import ManagedObjectModels
import MappingModels
import PersistentStores
import StoreMigration

/// The policy that is measured: it reads two values, and sets two.
final class LabelPolicy: EntityMigrationPolicy {
    override func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
        let contact = try context.createDestinationInstance(for: source)
        let (first, last) = (try source.string("firstName") ?? "", try source.string("lastName") ?? "")
        try contact.set("label", to: .string(first + " " + last))
        if let amount = try source.real("amount") { try contact.set("amount", to: .real(amount * 2 + 1)) }
    }
}

/// The policy with relationships that is measured: it makes an object for each value of an attribute, remembers it, and
/// links each object to one of them.
final class CityPolicy: EntityMigrationPolicy {
    private var cities: [String: ManagedObjectID] = [:]

    override func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
        let contact = try context.createDestinationInstance(for: source)
        guard let name = try source.string("city") else { return }
        if let known = cities[name] { return try contact.relate("city", to: [known]) }
        let city = try context.insert("City")
        try city.set("name", to: .string(name))
        cities[name] = city.objectID
        try contact.relate("city", to: city)
    }
}

struct PolicyRunOptions: OptionTable {
    var operands: [String] = []
    static let flags: [Flag<Self>] = []
}

extension Command {
    /// A migration with one of the policies in Swift, in a process of its own, so that its memory is its own.
    static let policyRun = Command(
        "policy-run", "Migrate with the policies that the suite mapping measures",
        operands: OperandRule("STORE MODELS VERSION MAPPING NEW", 5, upTo: 5), options: PolicyRunOptions.self
    ) { options in
        let words = options.operands
        let fingerprint = StoreFingerprint(of: StoreFiles(followingLinks: words[0]), isSettled: true)
        let store = try SQLiteStore(path: words[0])
        let catalog = try VersionCatalog(paths: [words[1]])
        let source = try catalog.sourceVersion(of: store, named: nil, configuration: nil, towards: words[2])
        let destination = try catalog.destinationVersion(named: words[2], for: source)
        let mapping = try MappingChoice.mapping(
            among: [MappingModelFile.read(path: words[3])], from: source, to: destination, in: catalog)
        let plan = try MigrationPlanner(
            store: store, from: source, to: destination,
            options: .init(
                placement: .output(words[4]), mapping: mapping,
                policies: PolicyRegistry([LabelPolicy.self, CityPolicy.self]))
        ).plan()
        _ = try MigrationManager().execute(plan, unchangedSince: fingerprint)
        return .done
    }
}

extension Command {
    /// A program that does as little as one can: it reads and writes blocks, and every record becomes the object that
    /// the mapping proposes. `sed -u` instead would read single bytes, and be what is measured.
    static let policyProgram = Command(
        "policy-program", "Answer as the policy's program that the suite mapping measures",
        options: PolicyRunOptions.self
    ) { _ in
        guard let input = fdopen(STDIN_FILENO, "r"), let output = fdopen(STDOUT_FILENO, "w") else { return .failed }
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer {
            free(line)
            fclose(output)
        }
        while case let count = getline(&line, &capacity, input), count > 0, let start = line {
            let bytes = UnsafeRawBufferPointer(start: start, count: count)
            if bytes.starts(with: "{\"ferry\"".utf8) {
                fputs("{\"protocol\":2}\n", output)
                fflush(output)
            } else if bytes.starts(with: "{\"end\"".utf8) {
                fwrite(start, 1, count, output)
                fflush(output)
            } else {
                // What comes first is the source; a URI has no comma.
                fwrite(start, 1, bytes.firstIndex(of: UInt8(ascii: ",")) ?? count, output)
                fputs("}\n", output)
            }
        }
        return .done
    }
}
