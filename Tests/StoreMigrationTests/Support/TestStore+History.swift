import ManagedObjectModels
import PersistentStores
import StoreMigration
import TestSupport

extension TestStore {
    /// Adds history and a table of CloudKit's mirror, which name objects of all entities that exist, have been deleted,
    /// or were never there.
    func addHistory(_ random: inout RandomNumbers) throws {
        let last = source.model.entities.count + 1
        var (changes, mirrored) = ([] as [String], [] as [String])
        for number in [nil, 16004] + (1...last).map({ Optional($0) }) {
            for key in [nil, 1, 2, 3, 5, 7, 11, 90] as [Int?] where Int.random(in: 0..<4, using: &random) > 0 {
                let object = "\(number.map(String.init) ?? "NULL"), \(key.map(String.init) ?? "NULL")"
                changes.append("(\(changes.count + 1), 16001, NULL, 1, \(object), 1, x'0\((key ?? 0) % 10)')")
                mirrored.append("(\(mirrored.count + 1), \(object))")
            }
        }
        try execute(
            """
            CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER,
                ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB);
            CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTIMESTAMP FLOAT);
            CREATE INDEX ACHANGE_ZTRANSACTIONID_INDEX ON ACHANGE (ZTRANSACTIONID);
            CREATE TABLE ANSCKRECORDMETADATA (Z_PK INTEGER PRIMARY KEY, ZENTITYID INTEGER, ZENTITYPK INTEGER,
                UNIQUE (ZENTITYID, ZENTITYPK));
            INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, \(changes.count)), (16002, 'TRANSACTION', 0, 1);
            INSERT INTO ATRANSACTION VALUES (1, 16002, NULL, 1.5);
            INSERT INTO ACHANGE VALUES \(changes.joined(separator: ", "));
            INSERT INTO ANSCKRECORDMETADATA VALUES \(mirrored.joined(separator: ", "));
            """)
    }
}
