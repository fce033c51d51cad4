/// A row of two integer columns, such as the rows of most join tables.
struct IntegerPair {
    let first: Int64
    let second: Int64
}
