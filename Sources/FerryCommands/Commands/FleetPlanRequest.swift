import CommandLineParsing
import ExternalPrograms
import FoundationEssentials
import Glibc
import PersistentStores
import StoreConversion
import StoreExport
import StoreFleets
import StoreMigration
import StoreVerification
import SwiftDataModels

/// A request to plan a fleet, whose options have been checked against each other.
struct FleetPlanRequest {
    private let options: FleetPlanOptions
    private let manifest: String
    private let fleet: FleetOptions

    init(_ options: FleetPlanOptions) throws(UsageError) {
        self.options = options
        guard let manifest = options.manifest else { throw .missing("--output MANIFEST") }
        try CommandOutput.checkIsPath(manifest, "a manifest")
        self.manifest = manifest
        if options.operands.isEmpty, options.storesFrom == nil { throw .missing("STORE or --stores-from FILE") }
        if options.backup != nil, options.outputDirectory != nil { throw .conflict("--output-dir", with: "--backup") }
        var fleet = FleetOptions(options.operation, models: options.models.map(FileSystem.absolute))
        fleet.schema = options.sources.schema
        fleet.modelTypes = options.sources.modelTypes
        fleet.conditions = options.sources.selection.conditions
        fleet.excludedSources = options.sources.excluded.map(FileSystem.absolute)
        fleet.swiftDataRules = options.sources.rules.map(FileSystem.absolute)
        fleet.version = options.operation == .migrate ? options.to : options.version
        fleet.mappings = options.mappings.map(FileSystem.absolute)
        for policy in options.policies { fleet.policies[policy.className] = policy.command?.text ?? "default" }
        fleet.policyTimeout = Int64(options.policyTimeout)
        fleet.chain = options.chain
        fleet.history = options.history
        fleet.narrowing = options.narrowing
        fleet.invalidObjects = options.invalidObjects
        fleet.keepsIDs = options.keepsIDs
        fleet.rules = options.fixes
        fleet.survivor = options.keep.survivor
        fleet.entities = options.entities
        fleet.format = options.format ?? .csv
        fleet.backup = options.backup.map(FileSystem.absolute)
        fleet.outputDirectory = options.outputDirectory.map(FileSystem.absolute)
        fleet.isRemote = options.isRemote
        if options.operation == .convert { fleet.storeType = try Self.storeType(options.to) }
        try Self.check(options)
        self.fleet = fleet
    }

    private static func storeType(_ text: String?) throws(UsageError) -> String {
        guard let text else { throw .missing("--to TYPE") }
        guard let type = StoreTypeArgument(rawValue: text) else {
            throw .badValue(text, of: "--to", amongAll: StoreTypeArgument.allCases.map(\.rawValue))
        }
        return type.type.name
    }

    /// Throws an error if an option has no meaning for the operation, or if one is missing.
    private static func check(_ options: FleetPlanOptions) throws(UsageError) {
        let operation = options.operation
        let name = "--operation \(operation.rawValue)"
        let given: [(isGiven: Bool, option: String, operations: Set<FleetOperation>)] = [
            (options.to != nil, "--to", [.migrate, .convert]),
            (options.version != nil, "--version", [.convert, .verify, .repair, .export]),
            (!options.mappings.isEmpty, "--mapping", [.migrate]),
            (!options.policies.isEmpty, "--policy", [.migrate]),
            (options.keepsIDs, "--keep-ids", [.convert]),
            (!options.fixes.isEmpty, "--fix", [.repair]),
            (!options.entities.isEmpty, "--entity", [.export]),
            (options.format != nil, "--format", [.export]),
            (options.backup != nil, "--backup", Set(FleetOperation.allCases.filter(\.changesStores))),
            (
                options.outputDirectory != nil, "--output-dir",
                Set(FleetOperation.allCases.filter { $0.product != .none })
            ),
        ]
        for (isGiven, option, operations) in given where isGiven && !operations.contains(operation) {
            throw .conflict(option, with: name)
        }
        if operation.product == .required, options.outputDirectory == nil { throw .dependent(name, on: "--output-dir") }
        if operation == .repair {
            if options.fixes.isEmpty { throw .missing("--fix RULE") }
            for rule in try VerifyRequest.rules(options.fixes, of: "--fix") where !rule.isRepairable {
                throw .badValue(rule.code, of: "--fix", expected: "a rule that can be repaired")
            }
        }
    }

    func run(_ watch: ProgressWatch) throws -> ExitStatus {
        Cancellation.watchSignals()
        let planner = try FleetPlanner(fleet, shards: options.shards, to: manifest) { Cancellation.isRequested }
        planner.onProgress = { watch.count($0, unit: "store") }
        for path in options.operands { try planner.add(path) }
        if let list = options.storesFrom { try Self.forEachLine(of: list) { try planner.add($0, hasPatterns: false) } }
        let summary = try planner.finish()
        Console.print(options.isJSON ? try JSONText.text(summary) : summary.description)
        return summary.problems.isEmpty ? .done : .findings
    }

    /// Reads a list of any length line by line.
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
