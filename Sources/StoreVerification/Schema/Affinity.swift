/// The affinity of a declared type in SQLite ("Datatypes In SQLite", section 3.1).
enum Affinity {
    case integer, text, blob, real, numeric

    init(ofType declared: String) {
        let type = declared.uppercased()
        self =
            if type.contains("INT") {
                .integer
            } else if ["CHAR", "CLOB", "TEXT"].contains(where: type.contains) {
                .text
            } else if type.isEmpty || type.contains("BLOB") {
                .blob
            } else if ["REAL", "FLOA", "DOUB"].contains(where: type.contains) {
                .real
            } else {
                .numeric
            }
    }
}
