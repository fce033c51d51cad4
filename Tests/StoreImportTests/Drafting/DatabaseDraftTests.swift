import Foundation
import ImportMappings
import RecordSources
import SQLiteAccess
import TestSupport
import Testing

@testable import StoreImport

@Suite struct DatabaseDraftTests {
    private static func model(isOrdered: Bool = false) -> String {
        DraftFixture.entity(
            "Artist", "name",
            more:
                "<relationship name='albums' optional='YES' toMany='YES' destinationEntity='Album' inverseName='artist' "
                + "inverseEntity='Album'/>" + DraftFixture.unique("name"))
            + DraftFixture.entity(
                "Album", "title", "released:Date", "code",
                more:
                    "<relationship name='artist' optional='YES' maxCount='1' destinationEntity='Artist' inverseName='albums' "
                    + "inverseEntity='Artist'/><relationship name='genres' optional='YES' toMany='YES' ordered='\(isOrdered ? "YES" : "NO")' "
                    + "destinationEntity='Genre' inverseName='albums' inverseEntity='Genre'/>"
                    + DraftFixture.unique("code"))
            + DraftFixture.entity(
                "Genre", "id:Integer 32", "name",
                more:
                    "<relationship name='albums' optional='YES' toMany='YES' destinationEntity='Album' inverseName='genres' "
                    + "inverseEntity='Album'/>" + DraftFixture.unique("id"))
    }

    /// As where the log was left behind, with all that is in it.
    @Test func aDatabaseWithoutTablesIsSaid() throws {
        let fixture = try DraftFixture(Self.model())
        let path = fixture.fixture.directory.file("empty.db")
        try Connection(path: path, access: .create).execute("VACUUM")
        for entity in ["Artist", nil] {
            let error = #expect(throws: SourceError.self) { try fixture.draft([path], entity: entity) }
            #expect(error?.description.contains("has no tables") == true, "\(String(describing: error))")
        }
        let error = #expect(throws: SourceError.self) {
            try fixture.fixture.run([path], .entity(EntityRequest(entity: "Artist")))
        }
        #expect(error?.description.contains("empty.db") == true)
    }

    private func database(in fixture: DraftFixture) throws -> String {
        let path = fixture.fixture.directory.file("music.db")
        let connection = try Connection(path: path, access: .create)
        defer { try? connection.close() }
        try connection.execute(
            """
            CREATE TABLE artists (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
            CREATE TABLE "order" (x);
            CREATE TABLE albums (id INTEGER PRIMARY KEY, code TEXT UNIQUE, title TEXT, released TEXT,
              artist_id INTEGER REFERENCES artists(id));
            CREATE TABLE genres (id INTEGER PRIMARY KEY, name TEXT);
            CREATE TABLE album_genres (album INTEGER REFERENCES albums, genre INTEGER REFERENCES genres, position INTEGER,
              PRIMARY KEY (album, genre));
            INSERT INTO artists VALUES (7, 'Ella'), (9, 'Louis');
            INSERT INTO albums VALUES (1, 'A-1', 'Duets', '1956-10-01', 7), (2, 'A-2', 'Solo', '1957-01-01', 9),
              (3, 'A-3', 'Lost', NULL, NULL);
            INSERT INTO genres VALUES (1, 'Jazz'), (2, 'Swing');
            INSERT INTO album_genres VALUES (1, 2, 1), (1, 1, 2), (2, 1, 1);
            """)
        return path
    }

    @Test func aWholeDatabaseIsDraftedWithItsReferences() throws {
        let fixture = try DraftFixture(Self.model(isOrdered: true))
        let path = try database(in: fixture)
        let draft = try fixture.draft([path])
        #expect(draft.mapping.sources.map(\.objects[0].entity) == ["Artist", "Album", "Genre", "Album"])
        #expect(draft.yaml.contains("#   music.db, order: no entity for its records (x)"))
        let pairs = try #require(draft.mapping.sources.last)
        #expect(pairs.objects[0].relationships.map(\.relationship) == ["genres"])
        #expect(pairs.objects[0].relationships[0].adds)
        #expect(pairs.objects[0].relationships[0].order == "position")
        // What genres are known by is what the table refers to; albums are known by what must be joined.
        #expect(pairs.format.query?.contains("JOIN \"albums\"") == true)
        #expect(pairs.format.query?.contains("JOIN \"genres\"") == false)
    }

    @Test func theDraftOfADatabaseRuns() throws {
        let fixture = try DraftFixture(Self.model())
        let path = try database(in: fixture)
        let report = try fixture.run([path])
        #expect(report.rejected == 0)
        #expect(
            try fixture.fixture.rows(
                "SELECT b.ZTITLE, a.ZNAME FROM ZALBUM b LEFT JOIN ZARTIST a ON a.Z_PK = b.ZARTIST ORDER BY 1")
                == ["Duets|Ella", "Lost|NULL", "Solo|Louis"])
        let pairs = try #require(
            fixture.fixture.rows("SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'Z_[0-9]*'").first)
        #expect(try fixture.fixture.rows("SELECT count(*) FROM \(pairs)") == ["3"])
        let again = try fixture.run([path])
        #expect(again.entities.allSatisfy { $0.inserted == 0 && $0.updated == 0 })
    }

    @Test func anEntityOfADatabaseIsImportedWithItsForeignKeysAndWithoutAMapping() throws {
        let fixture = try DraftFixture(Self.model())
        let path = try database(in: fixture)
        // What the others refer to comes later, and is then related all the same.
        for (entity, unresolved) in [("Artist", 0), ("Album", 3), ("Genre", 0), ("Album", 0)] {
            let report = try fixture.fixture.run([path], .entity(EntityRequest(entity: entity)))
            #expect(report.rejected == 0 && report.unresolvedLinks == Int64(unresolved), "\(entity)")
        }
        let again = try fixture.fixture.run([path], .entity(EntityRequest(entity: "Album")))
        #expect(again.sources.map(\.part) == ["albums", "album_genres"])
        #expect(again.entities.allSatisfy { $0.inserted + $0.updated + $0.related == 0 })
        #expect(try fixture.fixture.rows("SELECT count(*) FROM Z_1GENRES") == ["3"])
        let rows = try fixture.fixture.rows(
            "SELECT a.ZCODE, a.ZTITLE, r.ZNAME, a.Z_OPT FROM ZALBUM a LEFT JOIN ZARTIST r ON r.Z_PK = a.ZARTIST ORDER BY 1"
        )
        #expect(rows == ["A-1|Duets|Ella|1", "A-2|Solo|Louis|1", "A-3|Lost|NULL|1"])
        #expect(try fixture.fixture.faults() == [])
        let error = #expect(throws: ImportPlanError.self) {
            let other = try DraftFixture(
                Self.model() + DraftFixture.entity("Planet", "mass:Double", "moons:Integer 16"))
            _ = try other.fixture.run([path], .entity(EntityRequest(entity: "Planet")))
        }
        #expect(error?.code == .noTableMatches)
    }

    @Test func aKeyWithAForeignKeyInItIsARelationshipAndMore() throws {
        let fixture = try DraftFixture(
            DraftFixture.entity(
                "Line", "position:Integer 32", "item", "sold:Date",
                more:
                    "<relationship name='order' optional='YES' maxCount='1' destinationEntity='Order' inverseName='lines' "
                    + "inverseEntity='Order'/>")
                + DraftFixture.entity(
                    "Order", "shop:Integer 32", "number:Integer 32",
                    more:
                        "<relationship name='lines' optional='YES' toMany='YES' destinationEntity='Line' inverseName='order' "
                        + "inverseEntity='Line'/>"))
        let path = fixture.fixture.directory.file("shop.db")
        let connection = try Connection(path: path, access: .create)
        // What refers comes first here, and dates are Julian days.
        try connection.execute(
            """
            CREATE TABLE line (shop INT, number INT, position INT, item TEXT, sold REAL, PRIMARY KEY (shop, number, position),
              FOREIGN KEY (shop, number) REFERENCES "order"(shop, number)) WITHOUT ROWID;
            CREATE TABLE "order" (shop INT, number INT, PRIMARY KEY (shop, number)) WITHOUT ROWID;
            INSERT INTO "order" VALUES (1, 1), (1, 2);
            INSERT INTO line VALUES (1, 1, 1, 'a', julianday('2024-01-02 03:04:05')), (1, 1, 2, 'b', 2459000.5), (1, 2, 1, 'c', NULL);
            """)
        try connection.close()
        let draft = try fixture.draft([path])
        #expect(draft.mapping.sources.map(\.objects[0].key) == [["shop", "number"], ["order", "position"]])
        for changes in [5, 0] {
            let report = try fixture.run([path])
            #expect(
                report.rejected == 0 && report.entities.reduce(0) { $0 + $1.inserted + $1.updated } == Int64(changes))
        }
        let rows = try fixture.fixture.rows(
            "SELECT o.ZNUMBER, l.ZPOSITION, l.ZITEM, l.ZSOLD FROM ZLINE l JOIN ZORDER o ON o.Z_PK = l.ZORDER ORDER BY 1, 2"
        )
        #expect(rows == ["1|1|a|725857445", "1|2|b|612576000", "2|1|c|NULL"])
    }

    @Test func aViewOfATablesRowsIsLeftOut() throws {
        let fixture = try DraftFixture(Self.model())
        let path = try database(in: fixture)
        let connection = try Connection(path: path, access: .readWrite)
        try connection.execute(
            """
            CREATE VIEW "new albums" AS SELECT * FROM albums WHERE released > '1956';
            CREATE VIEW planets AS SELECT 1 AS mass, 'Mars' AS name;
            """)
        try connection.close()
        let draft = try fixture.draft([path])
        #expect(
            draft.mapping.sources.filter { $0.objects[0].entity == "Album" && $0.objects[0].onMissing == .create }.count
                == 1)
        #expect(draft.yaml.contains("music.db, new albums: a view, and the objects of Album are in the table albums"))
        #expect(try fixture.run([path]).unresolvedLinks == 0)
        // Where no table has them, the rows of a view are the objects.
        let other = try DraftFixture(DraftFixture.entity("Planet", "mass:Double", "name"))
        #expect(try other.draft([path]).mapping.sources.map(\.format.table) == ["planets"])
    }

    @Test(arguments: [("album_code,genre_id", false), ("Genre,Album,Position", true), ("albumCode,genre", false)])
    func aFlatFileOfPairsIsDraftedAsARelationship(header: String, isOrdered: Bool) throws {
        let fixture = try DraftFixture(Self.model(isOrdered: isOrdered))
        let rows = [("A-1", 2), ("A-1", 1), ("A-2", 1)]
        let pairs = rows.enumerated().map { place, row in
            isOrdered ? "\(row.1),\(row.0),\(9 - place)\n" : "\(row.0),\(row.1)\n"
        }
        let sources = [
            try fixture.fixture.write(header + "\n" + pairs.joined(), as: "pairs.csv"),
            try fixture.fixture.write(
                "code,title,released\nA-1,Duets,1956-10-01\nA-2,Solo,1957-01-01\n", as: "albums.csv"),
            try fixture.fixture.write("id,name\n1,Jazz\n2,Swing\n", as: "genres.csv"),
        ]
        let draft = try fixture.draft(sources)
        #expect(draft.yaml.contains("A table of pairs"))
        for _ in 0..<2 {
            #expect(try fixture.run(sources).rejected == 0)
            let links = try fixture.fixture.rows(
                "SELECT a.ZCODE, g.ZNAME FROM Z_1GENRES j JOIN ZALBUM a ON a.Z_PK = j.Z_1ALBUMS "
                    + "JOIN ZGENRE g ON g.Z_PK = j.Z_3GENRES ORDER BY 1, \(isOrdered ? "j.Z_FOK_3GENRES" : "2")")
            #expect(
                links == (isOrdered ? ["A-1|Jazz", "A-1|Swing", "A-2|Jazz"] : ["A-1|Jazz", "A-1|Swing", "A-2|Jazz"]))
        }
    }

    @Test func aShortFileOfObjectsIsNoFileOfPairs() throws {
        let fixture = try DraftFixture(Self.model())
        let sources = [
            try fixture.fixture.write("code,released\nA-1,1956-10-01\n", as: "x.csv"),
            try fixture.fixture.write("id,name\n1,Jazz\n", as: "genres.csv"),
        ]
        let draft = try fixture.draft(sources)
        #expect(Set(draft.mapping.sources.map(\.objects[0].entity)) == ["Album", "Genre"])
        #expect(!draft.yaml.contains("A table of pairs"))
    }
}
