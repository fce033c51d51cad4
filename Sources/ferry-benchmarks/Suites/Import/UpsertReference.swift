import PersistentStores

/// What somebody would do by hand in SQLite's shell: load the file into a temporary table, then
/// `INSERT ... ON CONFLICT DO UPDATE` from it, with the store's own columns, types and indexes.
///
/// It counts nothing, checks nothing, does not keep `Z_PRIMARYKEY`, and writes objects that do not change.
struct UpsertReference {
    let shell: SQLiteShell
    let source: String
    let template: String

    var path: String { shell.workspace.file("reference.sqlite") }

    private var script: String {
        """
        .bail on
        PRAGMA cache_size = -16384;
        PRAGMA temp_store = FILE;
        \(LoadReference.loading(source, into: "loaded", temporary: true))
        BEGIN IMMEDIATE;
        INSERT INTO ZEMPLOYEE (Z_ENT, Z_OPT, ZDEPARTMENT, ZEMAIL, ZHIRED, ZNAME, ZNUMBER, ZREMARK, ZSALARY)
        SELECT (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Employee'), 1,
            (SELECT Z_PK FROM ZDEPARTMENT WHERE ZCODE = department), email, unixepoch(hired) - 978307200, name,
            CAST(number AS INTEGER), nullif(remark, ''), salary
        FROM temp.loaded WHERE true
        ON CONFLICT (ZNUMBER) DO UPDATE SET Z_OPT = Z_OPT + 1, ZDEPARTMENT = excluded.ZDEPARTMENT,
            ZEMAIL = excluded.ZEMAIL, ZHIRED = excluded.ZHIRED, ZNAME = excluded.ZNAME, ZREMARK = excluded.ZREMARK,
            ZSALARY = excluded.ZSALARY;
        COMMIT;

        """
    }

    func contestant() -> Contestant {
        Contestant(name: "sqlite3", prepare: { try shell.workspace.renewStore(path, from: template) }) {
            let usage = try shell.run(script, on: path).usage
            try FileSystem.synchronize(path)
            return usage
        }
    }
}
