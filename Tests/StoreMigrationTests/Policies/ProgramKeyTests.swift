import ExternalPrograms
import GeneratedStores
import ManagedObjectModels
import MappingModels
import PersistentStores
import StoreMigration
import TestSupport
import Testing

/// Programs that answer with a `key`: an object that is new begins as any other of its entity.
@Suite struct ProgramKeyTests {
    /// Sources with equal remainders of their keys make one object.
    private static func program(_ entity: String) -> String {
        #"""
        read -r hello
        while read -r line; do
            case $line in '{"end"'*) echo "$line"; continue ;; esac
            s=${line#*:\"}; s=${s%%\"*}
            code=$(( ${s##*/p} % 3 ))
            echo "{\"source\":\"$s\",\#(entity)\"key\":[\"code\"],\"attributes\":{\"code\":\"c$code\"}}"
        done
        """#
    }

    @Test(arguments: ["", #"\"entity\":\"Note\","#], [1, 2, 7])
    func aNewObjectBeginsWithWhatTheMappingProposes(entityKey: String, rows: Int) throws {
        let old = [
            entity("Folder", [attribute("name")], [relationship("notes", to: "Note", inverse: "folder", many: true)]),
            entity("Note", [attribute("text")], [relationship("folder", to: "Folder", inverse: "notes")]),
        ]
        let new = [
            old[0],
            entity(
                "Note",
                [
                    attribute("code"), attribute("size", .integer16, default: .integer(5)),
                    attribute("title", optional: false),
                ],
                [relationship("folder", to: "Folder", inverse: "notes")]),
        ]
        let store = try TestStore(
            from: old, to: new,
            rows: "INSERT INTO ZFOLDER (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (4, 1, 1, 'f');\n"
                + (1...8).map {
                    "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZFOLDER) VALUES (\($0), 2, 1, 't\($0)', 4);\n"
                }.joined())
        let program = try store.directory.write(Self.program(entityKey), to: "policy.sh")
        var policies = PolicyRegistry()
        policies.register(try #require(ExternalProgram("sh '\(program)'")), as: "App.Notes")
        let mapping = MappingModel(entityMappings: [
            EntityMapping(
                name: "Folders", type: .undefined, sourceEntityName: "Folder", destinationEntityName: "Folder",
                attributeMappings: [PropertyMapping(name: "name", valueExpression: "$source.name")]),
            EntityMapping(
                name: "Notes", type: .undefined, sourceEntityName: "Note", destinationEntityName: "Note",
                attributeMappings: [
                    PropertyMapping(name: "size", valueExpression: "7"),
                    PropertyMapping(name: "title", valueExpression: "'title of ' + $source.text"),
                ],
                relationshipMappings: [PropertyMapping(name: "folder", isExpressionGenerated: true)],
                migrationPolicyClassName: "App.Notes"),
        ])
        try store.migrate(by: mapping, policies, options: MigrationOptions(limits: BatchLimits(rows: rows)))
        // Each has the values of the first source with its code, and the links.
        #expect(
            try store.rows("SELECT ZCODE, ZSIZE, ZTITLE, ZFOLDER FROM ZNOTE ORDER BY 1") == [
                "c0|7|title of t3|4", "c1|7|title of t1|4", "c2|7|title of t2|4",
            ])
    }
}
