import Foundation
import SQLiteAccess
import TestSupport
import Testing

@testable import StoreImport

@Suite struct DatabaseDraftTests {
    private static func model(isOrdered: Bool = false) -> String {
        DraftFixture.entity(
            "Artist", "name",
            more: "<relationship name='albums' optional='YES' toMany='YES' destinationEntity='Album' inverseName='artist' "
                + "inverseEntity='Album'/>" + DraftFixture.unique("name"))
        + DraftFixture.entity(
            "Album", "title", "released:Date", "code",
            more: "<relationship name='artist' optional='YES' maxCount='1' destinationEntity='Artist' inverseName='albums' "
                + "inverseEntity='Artist'/><relationship name='genres' optional='YES' toMany='YES' ordered='\(isOrdered ? "YES" : "NO")' "
                + "destinationEntity='Genre' inverseName='albums' inverseEntity='Genre'/>" + DraftFixture.unique("code"))
        + DraftFixture.entity(
            "Genre", "id:Integer 32", "name",
            more: "<relationship name='albums' optional='YES' toMany='YES' destinationEntity='Album' inverseName='genres' "
                + "inverseEntity='Album'/>" + DraftFixture.unique("id"))
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
}
