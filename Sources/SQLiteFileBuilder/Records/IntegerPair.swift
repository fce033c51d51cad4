/// The values of a row of two columns, as those of most join tables.
struct IntegerPair {
    let first: Int64
    let second: Int64
}
