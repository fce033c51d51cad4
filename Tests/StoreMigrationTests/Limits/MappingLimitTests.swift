import ExternalPrograms
import GeneratedStores
import ManagedObjectModels
import MappingModels
import PersistentStores
import TestSupport
import Testing

@testable import StoreMigration

/// What a mapping model does depends on none of the sizes of batches, caches and windows: by expressions, by policies
/// in Swift, and by programs.
@Suite struct MappingLimitTests {
    private enum Way: CaseIterable {
        case expressions, policy, program, pipelined
    }

    /// The level becomes an object that those of one level share, and the songs' titles a text; an artist of a level
    /// that three divides is two by a policy, and one of level 5 is none.
    private static let model = ManagedObjectModel(entities: [
        entity(
            "Artist", [attribute("fullName"), attribute("number", .integer64, optional: false)],
            [
                relationship("boss", to: "Artist", inverse: "staff"),
                relationship("grade", to: "Grade", inverse: "artists"),
                relationship("label", to: "Label", inverse: "artists"),
                relationship("songs", to: "Song", inverse: "artists", many: true, ordered: true),
                relationship("staff", to: "Artist", inverse: "boss", many: true),
            ]),
        entity(
            "Grade", [attribute("name", optional: false)],
            [relationship("artists", to: "Artist", inverse: "grade", many: true)]),
        entity(
            "Label", [attribute("code", optional: false)],
            [
                relationship("artists", to: "Artist", inverse: "label", many: true, ordered: true),
                relationship("first", to: "Artist"), relationship("last", to: "Artist"),
            ]),
        entity("Level", [attribute("latest"), attribute("name", optional: false)]),
        entity("Soloist", parent: "Artist", [attribute("fee", .integer64)]),
        entity("Song", [attribute("title")], [relationship("artists", to: "Artist", inverse: "songs", many: true)]),
    ])

    private static func instances(_ mapping: String, _ path: String) -> String {
        "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", \"\(mapping)\", \(path))"
    }

    private static func mapping(_ way: Way) -> MappingModel {
        let generated = { PropertyMapping(name: $0, isExpressionGenerated: true) }
        func artists(_ name: String) -> EntityMapping {
            var relationships = [generated("boss"), generated("label"), generated("songs"), generated("staff")]
            if way == .expressions {
                relationships.append(
                    PropertyMapping(name: "grade", valueExpression: instances("\(name)Grades", "$source")))
            }
            return EntityMapping(
                name: name + "s", type: .undefined, sourceEntityName: name, destinationEntityName: name,
                attributeMappings: [PropertyMapping(name: "fullName", valueExpression: "uppercase:($source.name)")],
                relationshipMappings: relationships,
                sourceFilter: way == .expressions ? "level == NULL OR level != 5" : nil,
                migrationPolicyClassName: way == .expressions ? nil : "App.ArtistPolicy")
        }
        func grades(_ name: String) -> EntityMapping {
            EntityMapping(
                name: name + "Grades", type: .undefined, sourceEntityName: name, destinationEntityName: "Grade",
                attributeMappings: [
                    PropertyMapping(name: "name", valueExpression: "\"g\" + CAST($source.level, \"NSString\")")
                ],
                sourceFilter: "level != NULL AND level != 5", identity: MappingIdentity(attributes: ["name"]))
        }
        func chosen(_ name: String, _ choice: RelationshipChoice) -> PropertyMapping {
            PropertyMapping(name: name, valueExpression: instances("Artists", "$source.artists"), choice: choice)
        }
        func levels(_ survivor: MappingIdentity.Survivor) -> EntityMapping {
            EntityMapping(
                name: "\(survivor) of levels", type: .undefined, sourceEntityName: "Artist",
                destinationEntityName: "Level",
                attributeMappings: [
                    PropertyMapping(
                        name: "name", valueExpression: "\"\(survivor)\" + CAST($source.level, \"NSString\")"),
                    PropertyMapping(name: "latest", valueExpression: "$source.name"),
                ], sourceFilter: "level != NULL", identity: MappingIdentity(attributes: ["name"], survivor: survivor))
        }
        return MappingModel(
            entityMappings: [artists("Artist"), artists("Soloist")]
                + (way == .expressions ? [grades("Artist"), grades("Soloist"), levels(.first), levels(.last)] : [])
                + [
                    EntityMapping(
                        name: "Labels", type: .undefined, sourceEntityName: "Label", destinationEntityName: "Label",
                        relationshipMappings: [
                            generated("artists"), chosen("first", .first), chosen("last", .last),
                        ]),
                    EntityMapping(
                        name: "Songs", type: .undefined, sourceEntityName: "Song", destinationEntityName: "Song",
                        relationshipMappings: [generated("artists")]),
                ])
    }

    // MARK: - Policies

    final class ArtistPolicy: EntityMigrationPolicy {
        override func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
            guard let level = try source.integer("level") else {
                _ = try context.createDestinationInstance(for: source)
                return
            }
            if level == 5 { return }
            let grade = try context.findOrInsert("Grade", where: ["name": .string("g\(level)")]).object
            let artist = try context.createDestinationInstance(for: source)
            try artist.relate("grade", to: grade)
            guard level % 3 == 0 else { return }
            let copy = try context.createDestinationInstance(for: source)
            try copy.set("number", to: .integer(try source.integer("number").map { $0 + 1000 } ?? 0))
            try copy.relate("grade", to: grade)
        }
    }

    /// The same as a program: its answers to a batch come in another order than the records, the grades first and the
    /// copies last.
    private static let program = #"""
        field() {
            value=${line#*"\"$1\":"}
            value=${value%%[,\}]*}
        }
        newline='
        '
        while IFS= read -r line; do
            case $line in
            '{"ferry":'*) continue ;;
            '{"end":'*)
                printf '%s%s%s{"end":"batch"}\n' "$grades" "$artists" "$copies"
                grades= artists= copies= known=
                continue ;;
            esac
            source=${line#'{"source":"'}
            source=${source%%'"'*}
            begin="{\"source\":\"$source\""
            field level; level=$value
            field number; number=$value
            case $level in
            null) artists="$artists$begin}$newline"; continue ;;
            5) artists="$artists$begin,\"skip\":true}$newline"; continue ;;
            esac
            case $known in
            *"<$level>"*) ;;
            *)
                known="$known<$level>"
                name="\"attributes\":{\"name\":\"g$level\"}"
                grades="$grades$begin,\"entity\":\"Grade\",\"id\":\"g$level\",\"key\":[\"name\"],$name}$newline" ;;
            esac
            link="\"relationships\":{\"grade\":{\"id\":\"g$level\"}}}$newline"
            artists="$artists$begin,$link"
            [ $((level % 3)) = 0 ] && copies="$copies$begin,\"attributes\":{\"number\":$((number + 1000))},$link"
        done
        exit 0
        """#

    // MARK: - What they come to

    private func check(_ way: Way, seed: UInt64, size: Int?) throws {
        var random = RandomNumbers(seed: seed)
        let plain = PlainStudio(33, &random)
        let store = try TestStore(
            from: PlainStudio.model, to: Self.model, writer: StoreWriter(), plain.content)
        var policies = PolicyRegistry()
        switch way {
        case .expressions: break
        case .policy: policies.register(ArtistPolicy.self, as: "App.ArtistPolicy")
        case .program, .pipelined:
            // The same program, which gets several batches at once if it says so.
            let text = Self.program.replacing(
                "'{\"ferry\":'*) continue ;;",
                with: way == .program
                    ? "'{\"ferry\":'*) continue ;;" : "'{\"ferry\":'*) echo '{\"protocol\":2}'; continue ;;")
            let program = try store.directory.write(text, to: "policy.sh")
            policies.register(try #require(ExternalProgram("sh '\(program)'")), as: "App.ArtistPolicy")
        }
        let options = MigrationOptions.limited(size, &random)
        let context = "seed \(seed), \(way), \(options.limits), \(options.fixedLimits)"
        do {
            _ = try store.migrate(by: Self.mapping(way), policies, options: options)
        } catch {
            Issue.record("\(error)\n\(context)")
            return
        }
        try expect(plain, way, at: store.path, context)
    }

    private func expect(_ plain: PlainStudio, _ way: Way, at path: String, _ context: String) throws {
        let isPolicy = way != .expressions
        let kept = plain.artists.filter { $0.level != 5 }.sorted { $0.number < $1.number }
        let copies = isPolicy ? kept.filter { $0.level.map { $0 % 3 == 0 } ?? false } : []
        func line(_ artist: PlainStudio.Artist, isCopy: Bool) -> String {
            // What leads to an artist leads to all that were made of it; a to-one takes the first.
            let boss = artist.boss.map { plain.artists[$0] }.flatMap { $0.level == 5 ? nil : $0.number }
            return [
                "\(artist.number + (isCopy ? 1000 : 0))", artist.isSoloist ? "Soloist" : "Artist",
                artist.name?.uppercased() ?? "", artist.level.map { "g\($0)" } ?? "",
                artist.label.map { plain.labels[$0].code } ?? "", boss.map { "\($0)" } ?? "",
            ].joined(separator: "|")
        }
        let rows = try StudioRows(path)
        let found = try rows.lines(
            "SELECT a.ZNUMBER, Z_NAME, a.ZFULLNAME, g.ZNAME, l.ZCODE, b.ZNUMBER FROM ZARTIST a "
                + "JOIN Z_PRIMARYKEY p ON p.Z_ENT = a.Z_ENT LEFT JOIN ZGRADE g ON g.Z_PK = a.ZGRADE "
                + "LEFT JOIN ZLABEL l ON l.Z_PK = a.ZLABEL LEFT JOIN ZARTIST b ON b.Z_PK = a.ZBOSS ORDER BY 1")
        let wanted = kept.map { line($0, isCopy: false) } + copies.map { line($0, isCopy: true) }
        try #require(found == wanted, "\(context)")
        let grades = Set(kept.compactMap { $0.level.map { "g\($0)" } })
        try #require(try rows.lines("SELECT ZNAME FROM ZGRADE ORDER BY 1") == grades.sorted(), "\(context)")
        let songs = (kept.map { ($0, 0) } + copies.map { ($0, 1000) }).map { artist, offset in
            "\(artist.number + offset)|\(artist.songs.map { plain.songs[$0].title }.joined(separator: "+"))"
        }
        try #require(try rows.songs() == songs, "\(context)")
        guard !isPolicy else { return }
        var levels: [String: String] = [:]
        for artist in plain.artists where !artist.isSoloist {
            guard let level = artist.level else { continue }
            if levels["first\(level)"] == nil { levels["first\(level)"] = artist.name ?? "" }
            levels["last\(level)"] = artist.name ?? ""
        }
        try #require(
            try rows.lines("SELECT ZNAME, ZLATEST FROM ZLEVEL ORDER BY 1")
                == levels.sorted { $0.key < $1.key }.map { "\($0.key)|\($0.value)" }, "\(context)")
        let members = plain.labels.map { label in
            label.artists.map { plain.artists[$0] }.filter { !$0.isSoloist && $0.level != 5 }.map { "\($0.number)" }
        }
        let chosen = zip(plain.labels, members).map { "\($0.code)|\($1.first ?? "")|\($1.last ?? "")" }
        try #require(
            try rows.lines(
                "SELECT ZCODE, f.ZNUMBER, l.ZNUMBER FROM ZLABEL LEFT JOIN ZARTIST f ON f.Z_PK = ZFIRST "
                    + "LEFT JOIN ZARTIST l ON l.Z_PK = ZLAST ORDER BY 1") == chosen, "\(context)")
    }

    @Test(arguments: RandomNumbers.limitSizes, RandomNumbers.seeds(12))
    func expressionsGiveTheSameWithAllLimitsOfOneSize(size: Int, seed: Int) throws {
        try check(.expressions, seed: UInt64(size * 1000 + seed), size: size)
    }

    @Test(arguments: RandomNumbers.limitSizes, RandomNumbers.seeds(12))
    func policiesGiveTheSameWithAllLimitsOfOneSize(size: Int, seed: Int) throws {
        try check(.policy, seed: UInt64(size * 1000 + seed), size: size)
    }

    @Test(arguments: RandomNumbers.limitSizes, RandomNumbers.seeds(6))
    func programsGiveTheSameWithAllLimitsOfOneSize(size: Int, seed: Int) throws {
        try check(.program, seed: UInt64(size * 1000 + seed), size: size)
    }

    @Test(arguments: RandomNumbers.limitSizes, RandomNumbers.seeds(6))
    func programsWithBatchesInFlightGiveTheSame(size: Int, seed: Int) throws {
        try check(.pipelined, seed: UInt64(size * 1000 + seed), size: size)
    }

    @Test(arguments: RandomNumbers.seeds(24))
    func theSameWithLimitsOfSeveralSizes(seed: Int) throws {
        for way in Way.allCases { try check(way, seed: UInt64(100_000 + seed), size: nil) }
    }
}
