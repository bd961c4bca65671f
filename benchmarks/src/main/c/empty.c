/* The floor of a plugin: a process that starts and ends. */
int main(void) {
    return 0;
}
