import ExternalPrograms
import GeneratedStores
import ManagedObjectModels
import MappingModels
import PersistentStores
import SQLiteAccess
import TestSupport
import Testing

@testable import StoreMigration

/// Policies that change nothing, of all random models: the rows are those that the mapping makes without them.
@Suite struct UnchangedPolicyTests {
    enum Kind: CaseIterable {
        case code, program
        /// A program that answers with the values that it is told the mapping would give.
        case proposing
    }

    private static let echo = #"""
        read -r hello
        while read -r line; do
            case $line in '{"end"'*) echo "$line"; continue ;; esac
            s=${line#*:\"}; s=${s%%\"*}
            echo "{\"source\":\"$s\"$(attributes "$line")}"
        done
        """#

    private static func command(_ kind: Kind) -> String {
        switch kind {
        case .code, .program: "attributes() { :; }\n" + echo
        case .proposing:
            #"attributes() { a=${1##*,\"proposed\":}; printf '%s' ",\"attributes\":${a%\}}"; }"# + "\n" + echo
        }
    }

    /// Returns the rows of all objects and links of a store, without the counters for locking and derived values: policies
    /// make new objects.
    private static func rows(_ path: String, _ layout: StoreLayout, hasFiles: Bool) throws -> [String] {
        let others = Set(
            layout.model.entities.flatMap(\.attributes)
                .filter { $0.isDerived || !hasFiles && $0.description.hasExternalData }.map(\.key))
        let connection = try Connection(path: path, access: .readOnly)
        func rows(_ table: String, _ values: [String]) throws -> [String] {
            try connection.rows(
                "SELECT \(values.joined(separator: " || '|' || ")) FROM \(SQLiteIdentifier.quoted(table))"
            ).map { "\(table): \($0[0].string ?? "")" }
        }
        func text(_ column: String) -> String { "quote(\(SQLiteIdentifier.quoted(column)))" }
        let objects = try layout.tables.flatMap { table in
            let values = table.columns.compactMap { column -> String? in
                switch column.role {
                case .optimisticLock: return nil
                case .attribute(let key):
                    guard !others.contains(key) else { return nil }
                    // Rows of other entities may have anything there.
                    let entities = layout.model.entities.filter { entity in entity.attributes.contains { $0.key == key }
                    }
                    let numbers = entities.map { "\(layout.entityNumbers[$0.slot])" }.joined(separator: ", ")
                    return "iif(Z_ENT IN (\(numbers)), \(text(column.name)), '')"
                default: return text(column.name)
                }
            }
            return try rows(table.name, values)
        }
        let links = try layout.joinTables.flatMap { join in
            try rows(join.name, [join.ownerColumn, join.destinationColumn].map(text))
        }
        return (objects + links).sorted()
    }

    @Test(arguments: Kind.allCases) func rowsAreThoseOfTheMapping(kind: Kind) throws {
        let seeds = RandomNumbers.seeds(60)
        var (compared, derived) = (0, 0)
        for number in seeds {
            let seed = UInt64(number) &+ 11_000
            var random = RandomNumbers(seed: seed)
            var models = RandomModel(seed: seed)
            let old = models.model()
            let new = models.laterVersion(of: old)
            let store = try TestStore(from: old, to: new, writer: StoreWriter(), content: seed &* 13 &+ 1, upTo: 14)
            var mapping = store.inferred.editableModel
            guard let plan = try? store.plan(by: mapping, .report), plan.program != nil else { continue }
            let layout = try #require(plan.destinationLayout)
            let options = MigrationOptions.limited([nil, 1, 2, 3, 7].randomElement(using: &random) ?? nil, &random)
            func made(_ mapping: MappingModel, _ policies: PolicyRegistry) throws -> [String]? {
                guard try BuiltPolicyLinkTests.comparedContent(mapping, options, store, policies, seed) != nil else {
                    return nil
                }
                // A program's answers are new values, which are in the row if they are small.
                return try Self.rows(store.directory.file("auto.sqlite"), layout, hasFiles: kind != .proposing)
            }
            guard let expected = try made(mapping, PolicyRegistry()) else { continue }
            let script = try store.directory.write(Self.command(kind), to: "answer.sh")
            var policies = PolicyRegistry()
            for index in mapping.entityMappings.indices {
                let entityMapping = mapping.entityMappings[index]
                guard entityMapping.type != .remove, entityMapping.sourceEntityName != nil,
                    let entity = entityMapping.destinationEntityName.flatMap({
                        store.destination.model.entity(named: $0)
                    })
                else { continue }
                derived += entity.attributes.count(where: \.isDerived)
                mapping.entityMappings[index].migrationPolicyClassName = "App.P\(index)"
                if kind == .code {
                    policies.register(EntityMigrationPolicy.self, as: "App.P\(index)")
                } else {
                    policies.register(try #require(ExternalProgram("sh '\(script)'")), as: "App.P\(index)")
                }
            }
            guard let found = try made(mapping, policies) else {
                // Some values are none that an answer can have.
                #expect(kind == .proposing, "seed \(seed)")
                continue
            }
            let differences = found.difference(from: expected).map { "\($0)" }
            try #require(differences.isEmpty, "seed \(seed): \(differences)")
            compared += 1
        }
        #expect(compared > seeds.count / 4)
        #expect(derived > 0)
    }
}
