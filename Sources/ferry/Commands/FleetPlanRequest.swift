import CommandLineParsing
import FoundationEssentials
import Glibc
import PersistentStores
import StoreFleets
import StoreMigration
import SwiftDataModels

/// A plan of a fleet as asked for, its options checked against each other.
struct FleetPlanRequest {
    private let options: FleetPlanOptions
    private let manifest: String
    private let fleet: FleetOptions

    init(_ options: FleetPlanOptions) throws(UsageError) {
        self.options = options
        guard let manifest = options.manifest else { throw .missing("--output MANIFEST") }
        self.manifest = manifest
        if options.operands.isEmpty, options.storesFrom == nil { throw .missing("STORE or --stores-from FILE") }
        if options.backup != nil, options.outputDirectory != nil { throw .conflict("--output-dir", with: "--backup") }
        var fleet = FleetOptions(options.operation, models: options.models.map(FileSystem.absolute))
        fleet.schema = options.sources.schema
        fleet.modelTypes = options.sources.modelTypes
        fleet.conditions = options.sources.selection.conditions
        fleet.excludedSources = options.sources.excluded.map(FileSystem.absolute)
        fleet.swiftDataRules = options.sources.rules.map(FileSystem.absolute)
        fleet.version = options.to
        fleet.mappings = options.mappings.map(FileSystem.absolute)
        for policy in options.policies { fleet.policies[policy.className] = policy.command?.text ?? "default" }
        fleet.policyTimeout = Int64(options.policyTimeout)
        fleet.chain = options.chain
        fleet.history = options.history
        fleet.narrowing = options.narrowing
        fleet.invalidObjects = options.invalidObjects
        fleet.backup = options.backup.map(FileSystem.absolute)
        fleet.outputDirectory = options.outputDirectory.map(FileSystem.absolute)
        if options.operation == .verify {
            if fleet.backup != nil { throw .conflict("--backup", with: "--operation verify") }
            if fleet.outputDirectory != nil { throw .conflict("--output-dir", with: "--operation verify") }
            if !fleet.mappings.isEmpty { throw .conflict("--mapping", with: "--operation verify") }
            if !fleet.policies.isEmpty { throw .conflict("--policy", with: "--operation verify") }
        }
        self.fleet = fleet
    }

    func run() throws -> ExitStatus {
        Cancellation.watchSignals()
        let planner = try FleetPlanner(fleet, shards: options.shards, to: manifest) { Cancellation.isRequested }
        for path in options.operands { try planner.add(path) }
        if let list = options.storesFrom { try Self.forEachLine(of: list) { try planner.add($0) } }
        let summary = try planner.finish()
        Console.print(options.isJSON ? try JSONText.text(summary) : summary.description)
        return summary.problems.isEmpty ? .done : .findings
    }

    /// Reads a list line by line, however long it is.
    private static func forEachLine(of path: String, _ body: (String) throws -> Void) throws {
        guard let file = path == "-" ? fdopen(dup(0), "r") : fopen(path, "re") else { throw FileError(.open, path) }
        defer { fclose(file) }
        var buffer: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(buffer) }
        while true {
            errno = 0
            let count = getline(&buffer, &capacity, file)
            guard count >= 0, let start = buffer else {
                if ferror(file) != 0 { throw FileError(.read, path) }
                return
            }
            let bytes = UnsafeRawBufferPointer(start: start, count: count)
            let line = bytes.last == 0x0A ? bytes.dropLast() : bytes[...]
            if !line.isEmpty { try body(String(decoding: line, as: UTF8.self)) }
        }
    }
}
