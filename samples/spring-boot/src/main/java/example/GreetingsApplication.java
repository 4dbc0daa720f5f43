package example;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
class GreetingsApplication {
  public static void main(String[] arguments) {
    SpringApplication.run(GreetingsApplication.class, arguments);
  }
}
